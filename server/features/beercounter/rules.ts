import { tapLimits, type TimelyStats } from "#contract/beercounter.ts";
import { localDay } from "#server/platform/local-day.ts";

const dayMs = 24 * 60 * 60_000;

/** A tap that took longer than this to arrive is marked as booked later. */
const lateMs = 60_000;

/** When a tap of this age counts as booked, if that is worth telling apart from when it was drunk. */
export function lateBookingTime(now: number, age: number): number | null {
  return age >= lateMs ? now : null;
}

/** For how many more milliseconds a beer may be taken back: from its booking on, which is what its member saw happen. */
export function remainingUndoTime({ at, booked_at }: { at: number; booked_at: number | null }, now: number): number {
  return Math.max(0, tapLimits.undo - (now - (booked_at ?? at)));
}

/** 0 for Monday to 6 for Sunday. */
export function weekdayOf(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** `days` later (or earlier, if negative). */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Monday to Sunday of the week that `day` lies in. */
export function weekOf(day: string): string[] {
  const monday = addDays(day, -weekdayOf(day));
  return [0, 1, 2, 3, 4, 5, 6].map((offset) => addDays(monday, offset));
}

/** How often `weekday` came between two days, both included. */
export function countWeekday(weekday: number, from: string, to: string): number {
  const days = Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs) + 1;
  const untilFirst = (weekday - weekdayOf(from) + 7) % 7;
  return days <= untilFirst ? 0 : Math.floor((days - 1 - untilFirst) / 7) + 1;
}

/**
 * The two charts. An average is the beers on that weekday divided by how often that weekday came
 * since the group's first beer, today included.
 */
export function calculateTimelyStats(
  today: string,
  firstDay: string | null,
  byDay: ReadonlyMap<string, number>,
  byWeekday: ReadonlyMap<number, number>,
): TimelyStats {
  return {
    thisWeek: weekOf(today).map((day) => byDay.get(day) ?? 0),
    allWeeks: [0, 1, 2, 3, 4, 5, 6].map((weekday) => {
      const times = firstDay === null ? 0 : countWeekday(weekday, firstDay, today);
      return times === 0 ? 0 : Math.round(((byWeekday.get(weekday) ?? 0) / times) * 100) / 100;
    }),
  };
}

/** What a member drank on one day. */
export interface DayCount {
  readonly day: string;
  readonly user_id: number;
  readonly total: number;
}

/** Adds up beers, or counts of beers, by day and member. */
export function countDays(
  drunk: Iterable<{ readonly userId: number; readonly at: number; readonly count?: number }>,
  timeZone: string,
): DayCount[] {
  const counts = new Map<string, DayCount>();
  for (const { userId: user_id, at, count = 1 } of drunk) {
    const day = localDay(at, timeZone);
    const key = `${day} ${user_id}`;
    counts.set(key, { day, user_id, total: (counts.get(key)?.total ?? 0) + count });
  }
  return [...counts.values()];
}

/** What these days mean for the averages. */
export function countWeekdays(days: readonly DayCount[]): Map<number, number> {
  return sumBy(
    days.map(({ day, total }) => [day, total] as const),
    weekdayOf,
  );
}

/** Adds up a list into a map. */
export function countBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

/** Adds up counts under other keys, e.g. days as weekdays. */
export function sumBy<From, To>(counts: Iterable<readonly [From, number]>, keyOf: (from: From) => To): Map<To, number> {
  const sums = new Map<To, number>();
  for (const [from, count] of counts) sums.set(keyOf(from), (sums.get(keyOf(from)) ?? 0) + count);
  return sums;
}
