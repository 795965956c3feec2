import type { ReviewedMember, GroupYear, OwnYear } from "#contract/year-review.ts";
import { addDays, daysBetween, weekdayOf } from "#server/features/beers/rules.ts";
import type { DaySum } from "./review-store.ts";

/** The current year has a review from 1 December on. */
export function lastOpenYear(today: string): number {
  const year = Number(today.slice(0, 4));
  return today.slice(5) >= "12-01" ? year : year - 1;
}

/** `days` is sorted and not empty. `drinkers` drank on the day that findLongestDay() returns. */
export function summarizeGroupYear(days: readonly DaySum[], previousTotal: number, drinkers: NamedDrinkers): GroupYear {
  const { day, total } = findLongestDay(days);
  return {
    ...sumBeers(days),
    previous_total: previousTotal,
    days: days.map((one) => one.day),
    month: mostVisited(days, monthOf),
    weekday: mostVisited(days, (one) => weekdayOf(one.day)),
    longest: { day, total, ...drinkers },
  };
}

/** Returns `null` without beers. `days` is sorted. */
export function summarizeOwnYear(days: readonly DaySum[], company: OwnYear["company"]): OwnYear | null {
  const [first] = days;
  if (first === undefined) return null;
  return {
    ...sumBeers(days),
    month: mostVisited(days, monthOf),
    weekday: mostVisited(days, ({ day }) => weekdayOf(day)),
    first: first.day,
    last: days.at(-1)!.day,
    company,
    pause: longestPause(days.map(({ day }) => day)),
  };
}

/** A visit is one member on one day. For equally many visits, more beers decide, then the earlier month or weekday. */
function mostVisited(days: readonly DaySum[], keyOf: (day: DaySum) => number): number {
  const groups = [...Map.groupBy(days, keyOf)].map(([key, sums]) => ({
    key,
    visits: sums.reduce((sum, { visits }) => sum + visits, 0),
    beers: sumBeers(sums).total,
  }));
  groups.sort((one, other) => other.visits - one.visits || other.beers - one.beers || one.key - other.key);
  return groups[0]!.key;
}

/** Returns the earliest of equal days. `days` is not empty. */
export function findLongestDay(days: readonly DaySum[]): DaySum {
  return days.toSorted((one, other) => other.total - one.total)[0]!;
}

type NamedDrinkers = Pick<GroupYear["longest"], "members" | "others">;

/** Sorts by name, so that the list is not a ranking, and counts the others, whom the review may not name. */
export function nameDrinkers(ids: readonly number[], members: readonly ReviewedMember[]): NamedDrinkers {
  const drinkers = new Set(ids);
  const named = members.filter(({ id }) => drinkers.has(id)).toSorted(byName);
  return { members: named, others: drinkers.size - named.length };
}

/** For equally many shared days, returns the first by name; `null` without such a member. */
export function findClosestMember(
  sharedDays: ReadonlyMap<number, number>,
  members: readonly ReviewedMember[],
): OwnYear["company"] {
  const [closest] = members
    .flatMap((member) => {
      const shared = sharedDays.get(member.id);
      return shared === undefined ? [] : [{ member, days: shared }];
    })
    .toSorted((one, other) => other.days - one.days || byName(one.member, other.member));
  return closest ?? null;
}

/**
 * Returns the longest time between two of these days, the earliest of equal times; `null` without a day free of beer.
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

function monthOf({ day }: DaySum): number {
  return Number(day.slice(5, 7));
}

function byName(one: ReviewedMember, other: ReviewedMember): number {
  return one.name.localeCompare(other.name, "de") || one.id - other.id;
}

function sumBeers(days: readonly DaySum[]): Pick<DaySum, "total" | "alcohol_free"> {
  return {
    total: days.reduce((sum, { total }) => sum + total, 0),
    alcohol_free: days.reduce((sum, { alcohol_free }) => sum + alcohol_free, 0),
  };
}
