import type { ReviewedMember, GroupYear, OwnYear } from "#contract/year-review.ts";
import { addDays, type DayCount, daysBetween, weekdayOf } from "#server/features/beercounter/rules.ts";

/**
 * Returns the latest year that can have a review: from 1 December on the current year, before 1
 * December the previous year.
 */
export function lastOpenYear(today: string): number {
  const year = Number(today.slice(0, 4));
  return today.slice(5) >= "12-01" ? year : year - 1;
}

/**
 * Summarizes the group's year. `days` is sorted by day and not empty; only `members` may be named.
 * `before` has the beers per day of the previous year.
 */
export function summarizeGroupYear(
  days: readonly DayCount[],
  members: readonly ReviewedMember[],
  before: ReadonlyMap<string, number>,
): GroupYear {
  return {
    total: countBeers(days),
    alcohol_free: countAlcoholFree(days),
    previous_total: [...before.values()].reduce((sum, total) => sum + total, 0),
    days: [...new Set(days.map(({ day }) => day))],
    month: mostVisited(days, monthOf),
    weekday: mostVisited(days, ({ day }) => weekdayOf(day)),
    longest: longestDay(days, members),
  };
}

/**
 * Summarizes one member's year; `null` without beers. `days` contains the days of all members,
 * sorted by day.
 */
export function summarizeOwnYear(
  days: readonly DayCount[],
  members: readonly ReviewedMember[],
  userId: number,
): OwnYear | null {
  const mine = days.filter(({ user_id }) => user_id === userId);
  const [first] = mine;
  if (first === undefined) return null;
  return {
    total: countBeers(mine),
    alcohol_free: countAlcoholFree(mine),
    month: mostVisited(mine, monthOf),
    weekday: mostVisited(mine, ({ day }) => weekdayOf(day)),
    first: first.day,
    last: mine.at(-1)!.day,
    company: findClosestMember(days, members, userId),
    pause: longestPause(mine.map(({ day }) => day)),
  };
}

/**
 * Returns the month or weekday with the most visits (a visit is one member on one day). If several
 * have equally many visits, more beers decide, then the earlier month or weekday.
 */
function mostVisited(days: readonly DayCount[], keyOf: (day: DayCount) => number): number {
  const groups = [...Map.groupBy(days, keyOf)].map(([key, visits]) => ({
    key,
    visits: visits.length,
    beers: countBeers(visits),
  }));
  groups.sort((one, other) => other.visits - one.visits || other.beers - one.beers || one.key - other.key);
  return groups[0]!.key;
}

/**
 * Returns the day with the most beers; the earliest if several days have equally many. Its members
 * are sorted by name, so that the list is not a ranking.
 */
function longestDay(days: readonly DayCount[], members: readonly ReviewedMember[]): GroupYear["longest"] {
  const evenings = [...Map.groupBy(days, ({ day }) => day)].map(([day, visits]) => ({
    day,
    visits,
    total: countBeers(visits),
  }));
  const { day, visits, total } = evenings.toSorted((one, other) => other.total - one.total)[0]!;
  const ids = new Set(visits.map(({ user_id }) => user_id));
  const named = members.filter(({ id }) => ids.has(id)).toSorted(byName);
  return { day, total, members: named, others: ids.size - named.length };
}

/**
 * Returns the other member who drank on the most of this member's days; among members with equally
 * many days, the first by name. `null` without such a member.
 */
function findClosestMember(
  days: readonly DayCount[],
  members: readonly ReviewedMember[],
  userId: number,
): OwnYear["company"] {
  const mine = new Set(days.filter(({ user_id }) => user_id === userId).map(({ day }) => day));
  const shared = Map.groupBy(
    days.filter(({ day }) => mine.has(day)),
    ({ user_id }) => user_id,
  );
  const [closest] = members
    .filter(({ id }) => id !== userId && shared.has(id))
    .map((member) => ({ member, days: shared.get(member.id)!.length }))
    .toSorted((one, other) => other.days - one.days || byName(one.member, other.member));
  return closest ?? null;
}

/**
 * Returns the longest time without a beer between two of these days, or the earliest of equal
 * times; `null` without a day free of beer.
 */
function longestPause(days: readonly string[]): OwnYear["pause"] {
  const pauses = days.slice(1).map((day, index) => ({
    from: addDays(days[index]!, 1),
    to: addDays(day, -1),
    days: daysBetween(days[index]!, day) - 1,
  }));
  const [longest] = pauses.toSorted((one, other) => other.days - one.days);
  return longest === undefined || longest.days === 0 ? null : longest;
}

function monthOf({ day }: DayCount): number {
  return Number(day.slice(5, 7));
}

function byName(one: ReviewedMember, other: ReviewedMember): number {
  return one.name.localeCompare(other.name, "de") || one.id - other.id;
}

function countBeers(days: readonly DayCount[]): number {
  return days.reduce((sum, { total }) => sum + total, 0);
}

function countAlcoholFree(days: readonly DayCount[]): number {
  return days.reduce((sum, { alcohol_free }) => sum + alcohol_free, 0);
}
