import type { ShownParty } from "#contract/party.ts";
import { hours, toIso } from "#server/time.ts";

/** The beers of one member in one hour, which is numbered since 1970; `first` and `last` are times in epoch ms. */
interface HourCount {
  readonly user_id: number;
  readonly hour: number;
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

export function countByMember(counts: readonly HourCount[]): ReadonlyMap<number, number> {
  return sumBy(counts, ({ user_id }) => user_id);
}

/** When it was drunk: hour by hour, those without a beer between included. */
export function summarizeTimes(
  counts: readonly HourCount[],
): Pick<ShownParty, "total" | "hours" | "first_beer_at" | "last_beer_at"> {
  if (counts.length === 0) return { total: 0, hours: [], first_beer_at: null, last_beer_at: null };
  const byHour = sumBy(counts, ({ hour }) => hour);
  const first = Math.min(...byHour.keys());
  const length = Math.max(...byHour.keys()) - first + 1;
  return {
    total: counts.reduce((sum, { count }) => sum + count, 0),
    hours: Array.from({ length }, (_, index) => ({
      at: toIso(hours(first + index)),
      total: byHour.get(first + index) ?? 0,
    })),
    first_beer_at: toIso(Math.min(...counts.map((count) => count.first))),
    last_beer_at: toIso(Math.max(...counts.map((count) => count.last))),
  };
}

function sumBy(counts: readonly HourCount[], keyOf: (count: HourCount) => number): Map<number, number> {
  const sums = new Map<number, number>();
  for (const count of counts) sums.set(keyOf(count), (sums.get(keyOf(count)) ?? 0) + count.count);
  return sums;
}
