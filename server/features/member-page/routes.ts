import { getMemberPage } from "#contract/member-page.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { findMemberPage } from "./actions.ts";

export function addRoutes(context: Context): void {
  handle(context.http, getMemberPage, ({ member, params }) => findMemberPage(context, member, params.id));
}
