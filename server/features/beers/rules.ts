import {
  type BeerKind,
  type BookedBy,
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
import { isShownWith, type Visibility } from "#contract/visibility.ts";
import { epochOf, localDay } from "#server/platform/local-day.ts";
import { days, minutes, toIso } from "#server/time.ts";

/** Minimum age of a late tap. */
const lateMs = minutes(1);

/** Returns `null` if the tap is not late. `age` is in milliseconds. */
export function lateBookingTime(now: number, age: number): number | null {
  return age >= lateMs ? now : null;
}

/** Returns milliseconds; the time begins with the booking. */
export function remainingUndoTime({ at, booked_at }: { at: number; booked_at: number | null }, now: number): number {
  return Math.max(0, tapLimits.undo - (now - (booked_at ?? at)));
}

/** Returns `null` for a beer that its drinker booked. */
export function describeOrigin(beer: { by_tablet: string | null; by_member: string | null }): BookedBy | null {
  if (beer.by_tablet !== null) return { kind: "tablet", name: beer.by_tablet };
  return beer.by_member === null ? null : { kind: "member", name: beer.by_member };
}

/** A beer after midnight belongs to the previous evening. */
const eveningStart = "06:00";

/** Returns epoch ms. */
export function startOfEvening(now: number, timeZone: string): number {
  const start = epochOf(localDay(now, timeZone), eveningStart, timeZone);
  return start <= now ? start : epochOf(localDay(now - days(1), timeZone), eveningStart, timeZone);
}

interface FaceOrder {
  readonly id: number;
  readonly name: string;
  readonly tonight: number;
  readonly total: number;
  readonly visibility: Visibility;
}

/**
 * Sorts the members of tonight first, then those with the most beers. Members who are not in the ranking come last, so
 * that their place tells nothing about their beers. `present` are members of tonight, even without a beer.
 */
export function sortFaces<Face extends FaceOrder>(
  faces: readonly Face[],
  present: ReadonlySet<number> = new Set(),
): Face[] {
  const isTonight = ({ id, tonight }: Face): boolean => tonight > 0 || present.has(id);
  const isRanked = ({ visibility }: Face): boolean => isShownWith(visibility, "ranking");
  const place = (face: Face): number => (!isRanked(face) ? 2 : isTonight(face) ? 0 : 1);
  const countOf = (face: Face): number => (isRanked(face) ? face.total : 0);
  return faces.toSorted(
    (one, other) =>
      place(one) - place(other) || countOf(other) - countOf(one) || one.name.localeCompare(other.name, "de"),
  );
}

/** Returns 0 for Monday to 6 for Sunday. */
export function weekdayOf(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
}

export function addDays(day: string, count: number): string {
  return toIso(Date.parse(`${day}T00:00:00Z`) + days(count)).slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / days(1);
}

/** Returns seven days, Monday first. */
export function weekOf(day: string): string[] {
  const monday = addDays(day, -weekdayOf(day));
  return [0, 1, 2, 3, 4, 5, 6].map((offset) => addDays(monday, offset));
}

/** Includes both `from` and `to`. */
export function countWeekday(weekday: number, from: string, to: string): number {
  const dayCount = daysBetween(from, to) + 1;
  const untilFirst = (weekday - weekdayOf(from) + 7) % 7;
  return dayCount <= untilFirst ? 0 : Math.floor((dayCount - 1 - untilFirst) / 7) + 1;
}

export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
export type Weekday = (typeof weekdays)[number];
export const noBeers = { monday: 0, tuesday: 0, wednesday: 0, thursday: 0, friday: 0, saturday: 0, sunday: 0 };

/**
 * Averages divide the beers on a weekday by the number of such weekdays since the group's first beer, including today.
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

/** `alcohol_free` of the `total` are non-alcoholic. */
export interface DayCount {
  readonly day: string;
  readonly user_id: number;
  readonly total: number;
  readonly alcohol_free: number;
}

export interface CountedBeers {
  readonly userId: number;
  readonly at: number;
  /** 1 by default. */
  readonly count?: number;
  readonly kind?: BeerKind;
}

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

/** Total, and beers by weekday. */
export type MemberCount = Record<"user_id" | "total" | Weekday, number>;

export function countMembers(dayCounts: readonly DayCount[]): MemberCount[] {
  const counts = new Map<number, MemberCount>();
  addToSums(counts, dayCounts);
  return [...counts.values()];
}

/** Copies the counts, because rows of SQLite equal no object of another prototype. */
export function mapByMember<Count extends { readonly user_id: number }>(counts: readonly Count[]): Map<number, Count> {
  return new Map(counts.map((count) => [count.user_id, { ...count }]));
}

export function addToSums(counts: Map<number, MemberCount>, dayCounts: readonly DayCount[]): void {
  for (const { day, user_id, total } of dayCounts) {
    const count = counts.get(user_id) ?? { user_id, total: 0, ...noBeers };
    count.total += total;
    count[weekdays[weekdayOf(day)]!] += total;
    counts.set(user_id, count);
  }
}

/** Returns `null` if `all` contains no day. */
export function earliestDay(all: readonly (string | null)[]): string | null {
  return all.filter((day) => day !== null).toSorted()[0] ?? null;
}

/** Drinkers that a merged event names in addition to its newest one. */
const maxOtherNames = 3;

/** Keeps the newer total, the newest drinker, and the other drinkers of both events. */
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

/** Returns none if an event lacks charts, or changes between the events are missing. */
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

/** Returns the newest drinker last. */
function listDrinkers({ userId, userName, others }: CounterEvent): [number, string | null][] {
  const known = (others?.userIds ?? []).map((id, index): [number, string | null] => [id, others?.names[index] ?? null]);
  return [...known.toReversed(), ...(userId === null ? [] : [[userId, userName] satisfies [number, string | null]])];
}

/** Returns the top and the member's neighbours with ranks from 1; `null` if the group is small enough to show all. */
export function shortenRanking(drinkers: readonly Drinker[], memberId: number): ShownRanking | null {
  const { all, top, near } = rankingLimits;
  if (drinkers.length <= all) return null;
  const own = drinkers.findIndex(({ id }) => id === memberId);
  const isShown = (index: number) => index < top || (own >= 0 && Math.abs(index - own) <= near);
  const users = drinkers.flatMap((drinker, index) => (isShown(index) ? [{ ...drinker, rank: index + 1 }] : []));
  return { users, total: drinkers.length };
}
