import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

/** A member as in the ranking. */
const reviewedMember = z.object({ id: z.int(), name: z.string(), profile_picture: z.nullable(z.string()) });
export type ReviewedMember = z.output<typeof reviewedMember>;

/** Days are `YYYY-MM-DD`, months 1 to 12, weekdays 0 (Monday) to 6. */
const groupYear = z.object({
  total: z.int(),
  /** Number of these without alcohol. */
  alcohol_free: z._default(z.int(), 0),
  /** Number of beers in the previous year; 0 without any. */
  previous_total: z.int(),
  /** Every day with a beer. */
  days: z.array(z.string()),
  /** Month and weekday with the most visits (one member on one day). */
  month: z.int(),
  weekday: z.int(),
  /** The day with the most beers; `others`: number of members who have left or are disabled. */
  longest: z.object({ day: z.string(), total: z.int(), members: z.array(reviewedMember), others: z.int() }),
});
export type GroupYear = z.output<typeof groupYear>;

const ownYear = z.object({
  total: z.int(),
  alcohol_free: z._default(z.int(), 0),
  month: z.int(),
  weekday: z.int(),
  first: z.string(),
  last: z.string(),
  /** The member with the most days in common. */
  company: z.nullable(z.object({ member: reviewedMember, days: z.int() })),
  /** The longest time between two beers, with its first and last day. */
  pause: z.nullable(z.object({ from: z.string(), to: z.string(), days: z.int() })),
});
export type OwnYear = z.output<typeof ownYear>;

/** The review of a year, up to today until the year is over (`final`). `own`: `null` without an own beer. */
export const yearReview = z.object({
  year: z.int(),
  final: z.boolean(),
  group: groupYear,
  own: z.nullable(ownYear),
});
export type YearReview = z.output<typeof yearReview>;

export const reviewYears = z.object({
  /** Years with a review, newest first. */
  years: z.array(z.object({ year: z.int(), final: z.boolean() })),
  /** Today by the server's clock, which decides when a review opens. */
  today: z.string(),
});
export type ReviewYears = z.output<typeof reviewYears>;

export const getReviewYears = endpoint("GET /api/beercounter/years", {
  who: "member",
  reply: reviewYears,
});

/** Returns 404 for years without a beer, and for the current year before 1 December. */
export const getYearReview = endpoint("GET /api/beercounter/years/:year", {
  who: "member",
  params: z.object({ year: z.string().check(z.regex(/^\d{4}$/)) }),
  reply: yearReview,
});
