import * as contract from "#contract/tv.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { createTvLink, listTvLinks, pairDevice, revokeTvLink } from "./actions.ts";

export function addAdminRoutes(context: Context): void {
  const { http } = context;
  handle(http, contract.getTvLinks, () => listTvLinks(context));
  handle(http, contract.makeTvLink, ({ member, body }) => createTvLink(context, body.name, member.id));
  handle(http, contract.pairTv, ({ member, body }) => pairDevice(context, body, member));
  handle(http, contract.revokeTvLink, ({ member, params }) => revokeTvLink(context, params.id, member.id));
}
