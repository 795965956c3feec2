import type { ReviewYears, YearReview } from "#contract/year-review.ts";
import { listDrinkers, countByDay } from "#server/features/beercounter/store.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { localDay } from "#server/platform/local-day.ts";
import type { Context } from "#server/platform/context.ts";
import { summarizeGroupYear, lastOpenYear, summarizeOwnYear } from "./rules.ts";
import { findDayBefore, listMemberDays } from "./store.ts";

type Ground = Pick<Context, "db" | "clock" | "config">;

/** Leaps from year to year, so that it takes as many steps as there are years with beers, however many these were. */
export async function listReviewYears({ db, clock, config }: Ground): Promise<ReviewYears> {
  const today = localDay(clock.now(), config.timeZone);
  const years: ReviewYears["years"] = [];
  let day = await findDayBefore(db, firstDayOf(lastOpenYear(today) + 1));
  while (day !== null) {
    const year = yearOf(day);
    years.push({ year, final: year < yearOf(today) });
    day = await findDayBefore(db, firstDayOf(year));
  }
  return { years, today };
}

export async function findYearReview({ db, clock, config }: Ground, userId: number, year: number): Promise<YearReview> {
  const today = localDay(clock.now(), config.timeZone);
  if (year > lastOpenYear(today)) throw refuse("M404");
  const days = await listMemberDays(db, firstDayOf(year), lastDayOf(year));
  if (days.length === 0) throw refuse("M404");
  const before = await countByDay(db, firstDayOf(year - 1), lastDayOf(year - 1));
  const members = await listDrinkers(db);
  return {
    year,
    final: year < yearOf(today),
    group: summarizeGroupYear(days, members, before),
    own: summarizeOwnYear(days, members, userId),
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
