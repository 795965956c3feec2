import type { PeriodStats, Span } from "#contract/statistics.ts";
import { listDrinkers, readGroup } from "#server/features/beercounter/store.ts";
import type { Db } from "#server/db/connect.ts";
import { localDay } from "#server/platform/local-day.ts";
import type { Platform } from "#server/platform/platform.ts";
import { earlierDay, laterDay, type Period, periodBefore, periodOf, timesOf } from "./rules.ts";
import { countByTime, listDrinkersOf, type TimeLength } from "./store.ts";

/** What was drunk in the period around a day, or around today. */
export async function readPeriodStats(
  { db, clock, config }: Pick<Platform, "db" | "clock" | "config">,
  span: Span,
  day: string | undefined,
): Promise<PeriodStats> {
  const today = localDay(clock.now(), config.timeZone);
  const bounds = { firstDay: (await readGroup(db)).first_day, today };
  const period = periodOf(span, day ?? today, bounds);
  const times = timesOf(span, period);
  const counts = await countByTime(db, period, times[0]!.length as TimeLength);
  const before = periodBefore(span, period, bounds);
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
    users: span === "all" ? await listDrinkers(db) : await listDrinkersOf(db, period),
  };
}

async function countAll(db: Db, period: Period): Promise<number> {
  return sum(await countByTime(db, period, 4));
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, count) => total + count, 0);
}
