import { markNewsSeen } from "#contract/news.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import * as actions from "./actions.ts";

export function addRoutes(context: Context): void {
  handle(context.http, markNewsSeen, ({ member, body }) => actions.markNewsSeen(context, member, body.seen));
}
