import type { ReviewYears, YearReview } from "#contract/year-review.ts";
import { listDrinkers } from "#server/features/beers/store.ts";
import type { Context } from "#server/platform/context.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { localDay } from "#server/platform/local-day.ts";
import * as rules from "./review-rules.ts";
import * as store from "./review-store.ts";

/**
 * Returns the years that have a review, newest first. One short query per year finds the last day
 * with a beer, so that no beers have to be counted.
 */
export async function listReviewYears({
  db,
  clock,
  config,
}: Pick<Context, "db" | "clock" | "config">): Promise<ReviewYears> {
  const today = localDay(clock.now(), config.timeZone);
  const years: ReviewYears["years"] = [];
  let day = await store.findDayBefore(db, firstDayOf(rules.lastOpenYear(today) + 1));
  while (day !== undefined) {
    const year = yearOf(day);
    years.push({ year, final: year < yearOf(today) });
    day = await store.findDayBefore(db, firstDayOf(year));
  }
  return { years, today };
}

/**
 * Returns the review of a year. Refuses with 404 before 1 December of that year, and for a year
 * without beers.
 */
export async function findYearReview(
  { db, clock, config }: Pick<Context, "db" | "clock" | "config">,
  userId: number,
  year: number,
): Promise<YearReview> {
  const today = localDay(clock.now(), config.timeZone);
  if (year > rules.lastOpenYear(today)) throw refuse("notFound");
  const [from, to] = [firstDayOf(year), lastDayOf(year)];
  const days = await store.listDays(db, from, to);
  if (days.length === 0) throw refuse("notFound");
  const before = await store.listDays(db, firstDayOf(year - 1), lastDayOf(year - 1));
  const members = await listDrinkers(db);
  const drinkers = await store.listDrinkersOfDay(db, rules.findLongestDay(days).day);
  const company = rules.findClosestMember(await store.countSharedDays(db, userId, from, to), members);
  return {
    year,
    final: year < yearOf(today),
    group: rules.summarizeGroupYear(days, before, rules.nameDrinkers(drinkers, members)),
    own: rules.summarizeOwnYear(await store.listOwnDays(db, userId, from, to), company),
  };
}

function yearOf(day: string): number {
  return Number(day.slice(0, 4));
}

function firstDayOf(year: number): string {
  return `${year}-01-01`;
}

function lastDayOf(year: number): string {
  return `${year}-12-31`;
}
