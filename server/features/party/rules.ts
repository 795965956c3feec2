import type { ShownParty } from "#contract/party.ts";
import { addDays } from "#server/features/beercounter/rules.ts";
import { localDay, localTime } from "#server/platform/local-day.ts";
import { hours, minutes, toIso } from "#server/time.ts";

/** A party that starts before this time of day belongs to the evening before. */
const dayBegins = "06:00";

/** Returns the next noon (epoch ms) in `timeZone`, or the one of the next day if a party starts at 6:00 or later. */
export function findAutomaticEnd(startsAt: number, timeZone: string): number {
  const today = localDay(startsAt, timeZone);
  const day = localTime(startsAt, timeZone) < dayBegins ? today : addDays(today, 1);
  const noon = Date.parse(`${day}T12:00:00Z`);
  // Offsets from UTC are from -12 to +14 hours, in quarters of an hour.
  for (let at = noon - hours(14); at <= noon + hours(12); at += minutes(15))
    if (localDay(at, timeZone) === day && localTime(at, timeZone) === "12:00") return at;
  return noon;
}

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

/** Returns the beers per hour, including empty hours, and the first and the last time. */
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
