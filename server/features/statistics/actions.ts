import type { PeriodStats, Span } from "#contract/statistics.ts";
import * as beerStore from "#server/features/beers/store.ts";
import type { Context } from "#server/platform/context.ts";
import { localDay } from "#server/platform/local-day.ts";
import { earlierDay, laterDay, previousPeriod, resolvePeriod, listBarTimes } from "./rules.ts";
import * as store from "./store.ts";

/** `day` is any day of the period; `undefined` means today. */
export async function findPeriodStats(
  { db, clock, config }: Pick<Context, "db" | "clock" | "config">,
  span: Span,
  day: string | undefined,
): Promise<PeriodStats> {
  const today = localDay(clock.now(), config.timeZone);
  const bounds = { firstDay: (await beerStore.findGroupTotal(db)).first_day, today };
  const period = resolvePeriod(span, day ?? today, bounds);
  const times = listBarTimes(span, period);
  const counts = await store.countByTime(db, period, times[0]!.length as store.DatePrefixLength);
  const bars = times.map((time) => ({ time, total: counts.get(time)?.total ?? 0 }));
  const before = previousPeriod(span, period, bounds);
  return {
    span,
    from: period.from,
    to: period.to,
    today,
    earlier: earlierDay(span, period, bounds),
    later: laterDay(span, period, bounds),
    total: addUp(counts, ({ total }) => total),
    alcohol_free: addUp(counts, ({ alcohol_free }) => alcohol_free),
    before: before && {
      from: before.from,
      to: before.to,
      total: await store.countBeers(db, before),
      is_whole: before.isWhole,
    },
    bars,
    users: await beerStore.listDrinkers(db, span === "all" ? undefined : period),
  };
}

function addUp(counts: ReadonlyMap<string, store.BeerCount>, of: (count: store.BeerCount) => number): number {
  return [...counts.values()].reduce((sum, count) => sum + of(count), 0);
}
