import { getPeriodStats } from "#contract/statistics.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { findPeriodStats } from "./actions.ts";

export function addRoutes(context: Context): void {
  handle(context.http, getPeriodStats, ({ query: { span, day } }) => findPeriodStats(context, span, day));
}
