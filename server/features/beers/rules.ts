import {
  type BeerKind,
  charts,
  type Charts,
  type CounterEvent,
  type Drinker,
  type NewTotals,
  rankingLimits,
  type ShownRanking,
  tapLimits,
  type TimelyStats,
} from "#contract/beercounter.ts";
import { localDay } from "#server/platform/local-day.ts";
import { days, minutes, toIso } from "#server/time.ts";

/** Minimum age of a late tap in milliseconds. */
const lateMs = minutes(1);

/**
 * Returns the booking time of a late tap, or `null` if the tap is not late. `age` is in
 * milliseconds.
 */
export function lateBookingTime(now: number, age: number): number | null {
  return age >= lateMs ? now : null;
}

/** Returns the milliseconds that remain to undo a beer; the time begins with the beer's booking. */
export function remainingUndoTime({ at, booked_at }: { at: number; booked_at: number | null }, now: number): number {
  return Math.max(0, tapLimits.undo - (now - (booked_at ?? at)));
}

/** Returns the weekday of a day, from 0 for Monday to 6 for Sunday. */
export function weekdayOf(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** Returns the day `count` days later, or earlier if `count` is negative. */
export function addDays(day: string, count: number): string {
  return toIso(Date.parse(`${day}T00:00:00Z`) + days(count)).slice(0, 10);
}

/** Returns the number of days from `from` to `to`. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / days(1);
}

/** Returns the seven days of the week that contains `day`, Monday first. */
export function weekOf(day: string): string[] {
  const monday = addDays(day, -weekdayOf(day));
  return [0, 1, 2, 3, 4, 5, 6].map((offset) => addDays(monday, offset));
}

/** Counts how often `weekday` occurs from one day to another, both included. */
export function countWeekday(weekday: number, from: string, to: string): number {
  const dayCount = daysBetween(from, to) + 1;
  const untilFirst = (weekday - weekdayOf(from) + 7) % 7;
  return dayCount <= untilFirst ? 0 : Math.floor((dayCount - 1 - untilFirst) / 7) + 1;
}

export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
export type Weekday = (typeof weekdays)[number];
export const noBeers = { monday: 0, tuesday: 0, wednesday: 0, thursday: 0, friday: 0, saturday: 0, sunday: 0 };

/**
 * Calculates the charts of this week and of the weekday averages. An average divides the beers on a
 * weekday by the number of such weekdays since the group's first beer, including today.
 */
export function calculateTimelyStats(
  today: string,
  firstDay: string | null,
  byDay: ReadonlyMap<string, number>,
  byWeekday: Readonly<Record<Weekday, number>>,
): TimelyStats {
  return {
    thisWeek: weekOf(today).map((day) => byDay.get(day) ?? 0),
    allWeeks: weekdays.map((weekday, index) => {
      const times = firstDay === null ? 0 : countWeekday(index, firstDay, today);
      return times === 0 ? 0 : Math.round((byWeekday[weekday] / times) * 100) / 100;
    }),
  };
}

/** Numbers of a member's beers on one day: `alcohol_free` of the `total` are non-alcoholic. */
export interface DayCount {
  readonly day: string;
  readonly user_id: number;
  readonly total: number;
  readonly alcohol_free: number;
}

export interface CountedBeers {
  readonly userId: number;
  readonly at: number;
  /** Number of beers; 1 by default. */
  readonly count?: number;
  readonly kind?: BeerKind;
}

/** Sums beers, or counts of beers, by day and member. */
export function countDays(beers: Iterable<CountedBeers>, timeZone: string): DayCount[] {
  const counts = new Map<string, DayCount>();
  for (const { userId: user_id, at, count = 1, kind } of beers) {
    const day = localDay(at, timeZone);
    const key = `${day} ${user_id}`;
    const { total, alcohol_free } = counts.get(key) ?? { total: 0, alcohol_free: 0 };
    counts.set(key, { day, user_id, total: total + count, alcohol_free: alcohol_free + (kind === "0,0" ? count : 0) });
  }
  return [...counts.values()];
}

/** Number of a member's beers in total and by weekday. */
export type MemberCount = Record<"user_id" | "total" | Weekday, number>;

/** Sums daily counts by member. */
export function countMembers(dayCounts: readonly DayCount[]): MemberCount[] {
  const counts = new Map<number, MemberCount>();
  addToSums(counts, dayCounts);
  return [...counts.values()];
}

/** Returns the counts by member id. Copies them, because rows of SQLite equal no object of another prototype. */
export function mapByMember<Count extends { readonly user_id: number }>(counts: readonly Count[]): Map<number, Count> {
  return new Map(counts.map((count) => [count.user_id, { ...count }]));
}

/** Adds daily counts to sums by member id. */
export function addToSums(counts: Map<number, MemberCount>, dayCounts: readonly DayCount[]): void {
  for (const { day, user_id, total } of dayCounts) {
    const count = counts.get(user_id) ?? { user_id, total: 0, ...noBeers };
    count.total += total;
    count[weekdays[weekdayOf(day)]!] += total;
    counts.set(user_id, count);
  }
}

/** Returns the earliest day, or `null` if `all` contains no day. */
export function earliestDay(all: readonly (string | null)[]): string | null {
  return all.filter((day) => day !== null).toSorted()[0] ?? null;
}

/** Maximum number of drinkers that a merged event names in addition to its newest drinker. */
const maxOtherNames = 3;

/**
 * Merges two counter events into one with the newer total, the newest drinker, and the other
 * drinkers of both events.
 */
export function mergeTotals(one: CounterEvent, two: CounterEvent): CounterEvent {
  const [earlier, later] = one.version < two.version ? [one, two] : [two, one];
  const { userId, userName, avatarId } = later.userId === null ? earlier : later;
  const names = new Map([...listDrinkers(earlier), ...listDrinkers(later)].toReversed());
  const others = [...names].filter(([id]) => id !== userId);
  return {
    counterVal: later.counterVal,
    userId,
    userName,
    avatarId,
    version: later.version,
    others: {
      userIds: others.map(([id]) => id),
      names: others.slice(0, maxOtherNames).flatMap(([, name]) => name ?? []),
      isMore: [earlier, later].some((event) => event.userId === null || event.others?.isMore === true),
    },
    ...mergeCharts(earlier, later),
  };
}

/** Merges the charts of two events; returns none if an event lacks them, or changes between the events are missing. */
function mergeCharts(earlier: CounterEvent, later: CounterEvent): Partial<Charts> {
  const [before, after] = [readCharts(earlier), readCharts(later)];
  if (!before || !after || after.since > earlier.version) return {};
  const known = new Map(before.parties.map((party) => [party.id, party.totals]));
  const parties = after.parties.map((party) => ({
    ...party,
    totals: mergeNewTotals(known.get(party.id) ?? [], party.totals),
  }));
  return { ...after, since: before.since, totals: mergeNewTotals(before.totals, after.totals), parties };
}

function mergeNewTotals(earlier: NewTotals, later: NewTotals): NewTotals {
  return [...new Map([...earlier, ...later])];
}

function readCharts(event: CounterEvent): Charts | null {
  return charts.safeParse(event).data ?? null;
}

/** Lists the drinkers of an event with their names, if known; the newest is the last. */
function listDrinkers({ userId, userName, others }: CounterEvent): [number, string | null][] {
  const known = (others?.userIds ?? []).map((id, index): [number, string | null] => [id, others?.names[index] ?? null]);
  return [...known.toReversed(), ...(userId === null ? [] : [[userId, userName] satisfies [number, string | null]])];
}

/**
 * Shortens a ranking to its top and the member's neighbours, each with a rank from 1; `null` if the
 * group is small enough to show all drinkers.
 */
export function shortenRanking(drinkers: readonly Drinker[], memberId: number): ShownRanking | null {
  const { all, top, near } = rankingLimits;
  if (drinkers.length <= all) return null;
  const own = drinkers.findIndex(({ id }) => id === memberId);
  const isShown = (index: number) => index < top || (own >= 0 && Math.abs(index - own) <= near);
  const users = drinkers.flatMap((drinker, index) => (isShown(index) ? [{ ...drinker, rank: index + 1 }] : []));
  return { users, total: drinkers.length };
}
