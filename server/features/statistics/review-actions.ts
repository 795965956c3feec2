import type { GroupYear, ReviewedMember, ReviewYears, YearReview } from "#contract/year-review.ts";
import type { Db } from "#server/db/connect.ts";
import { createDayVersion } from "#server/features/beers/actions.ts";
import * as beerStore from "#server/features/beers/store.ts";
import { listOwnPhotos } from "#server/features/parties/photo-store.ts";
import type { Context } from "#server/platform/context.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { keepByVersion } from "#server/platform/http/shared-reply.ts";
import { localDay } from "#server/platform/local-day.ts";
import * as rules from "./review-rules.ts";
import * as store from "./review-store.ts";
import * as statisticsStore from "./store.ts";

/**
 * Returns the newest first. One short query per year finds the last day with a beer, so that no beers have to be
 * counted.
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
 * The function refuses with 404 before 1 December of the year, and for a year without beers. A beer between two of the
 * queries makes a review wrong only until the next request.
 */
export function createYearReview(context: Pick<Context, "db" | "clock" | "config">) {
  const { db, clock, config } = context;
  const findVersion = createDayVersion(context);
  // Shared by all members, who open the review on the same day.
  const groupYears = new Map<number, () => ReturnType<typeof findGroupYear>>();
  return async (userId: number, year: number): Promise<YearReview> => {
    const today = localDay(clock.now(), config.timeZone);
    if (year > rules.lastOpenYear(today)) throw refuse("notFound");
    if (!groupYears.has(year))
      groupYears.set(
        year,
        keepByVersion(findVersion, () => findGroupYear(db, year)),
      );
    const { group, members } = await groupYears.get(year)!();
    const [from, to] = [firstDayOf(year), lastDayOf(year)];
    const company = rules.findClosestMember(await store.countSharedDays(db, userId, from, to), members);
    const own = rules.summarizeOwnYear(await store.listOwnDays(db, userId, from, to), company);
    const photos = (await listOwnPhotos(db, userId)).filter(
      ({ is_in_review, created_at }) => is_in_review === 1 && yearOf(localDay(created_at, config.timeZone)) === year,
    );
    return {
      year,
      final: year < yearOf(today),
      group,
      own,
      photos: photos.map(({ id, party }) => ({ id, party })),
    };
  };
}

/** Includes the members whom a review may name. */
async function findGroupYear(db: Db, year: number): Promise<{ group: GroupYear; members: ReviewedMember[] }> {
  const days = await store.listDays(db, firstDayOf(year), lastDayOf(year));
  if (days.length === 0) throw refuse("notFound");
  const previousTotal = await statisticsStore.countBeers(db, { from: firstDayOf(year - 1), to: lastDayOf(year - 1) });
  const members = await beerStore.listDrinkers(db);
  const drinkers = await store.listDrinkersOfDay(db, rules.findLongestDay(days).day);
  return { group: rules.summarizeGroupYear(days, previousTotal, rules.nameDrinkers(drinkers, members)), members };
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
