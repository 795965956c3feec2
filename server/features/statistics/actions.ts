import type { PeriodStats, Span } from "#contract/statistics.ts";
import { listDrinkers, findGroup } from "#server/features/beercounter/store.ts";
import type { Db } from "#server/db/connect.ts";
import { localDay } from "#server/platform/local-day.ts";
import type { Context } from "#server/platform/context.ts";
import { earlierDay, laterDay, type Period, previousPeriod, resolvePeriod, listBarTimes } from "./rules.ts";
import { countByTime, listDrinkersInPeriod, type DatePrefixLength } from "./store.ts";

/** What was drunk in the period around a day, or around today. */
export async function findPeriodStats(
  { db, clock, config }: Pick<Context, "db" | "clock" | "config">,
  span: Span,
  day: string | undefined,
): Promise<PeriodStats> {
  const today = localDay(clock.now(), config.timeZone);
  const bounds = { firstDay: (await findGroup(db)).first_day, today };
  const period = resolvePeriod(span, day ?? today, bounds);
  const times = listBarTimes(span, period);
  const counts = await countByTime(db, period, times[0]!.length as DatePrefixLength);
  const before = previousPeriod(span, period, bounds);
  return {
    ...{ span, ...period, today },
    earlier: earlierDay(span, period, bounds),
    later: laterDay(span, period, bounds),
    total: sum(counts),
    before: before && {
      ...{ from: before.from, to: before.to, is_whole: before.isWhole },
      total: await countAll(db, before),
    },
    bars: times.map((time) => ({ time, total: counts.get(time) ?? 0 })),
    users: span === "all" ? await listDrinkers(db) : await listDrinkersInPeriod(db, period),
  };
}

async function countAll(db: Db, period: Period): Promise<number> {
  return sum(await countByTime(db, period, 4));
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
