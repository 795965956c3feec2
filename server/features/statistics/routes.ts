import { getPeriodStats } from "#contract/statistics.ts";
import { handle } from "#server/platform/http/handle.ts";
import type { Platform } from "#server/platform/platform.ts";
import { readPeriodStats } from "./actions.ts";

export function addStatisticsRoutes(platform: Platform): void {
  handle(platform.door, getPeriodStats, ({ query: { span, day } }) => readPeriodStats(platform, span, day));
}
