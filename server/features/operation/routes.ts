import { getApiDescription, getOpenApi } from "#contract/api-description.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { describeApi } from "#server/platform/http/openapi.ts";

export function addRoutes({ http, config }: Context): void {
  let description: ReturnType<typeof describeApi> | undefined;
  const describe = () => (description ??= describeApi(config.appUrl));
  handle(http, getOpenApi, describe);
  handle(http, getApiDescription, async ({ reply }) => {
    reply.header("content-disposition", 'attachment; filename="openapi.json"');
    return Buffer.from(JSON.stringify(await describe(), null, 2));
  });
}
