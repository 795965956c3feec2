import { getGroupConfig } from "#contract/group-config.ts";
import { getManifest } from "#contract/manifest.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { createManifest, createGroupConfig } from "./rules.ts";

export function addRoutes({ http, config, secrets, group }: Context): void {
  handle(http, getGroupConfig, async () => createGroupConfig(config, await group.settings(), secrets.vapid.publicKey));
  handle(http, getManifest, async ({ reply }) => {
    reply.type("application/manifest+json; charset=utf-8");
    return createManifest(await group.settings());
  });
}
