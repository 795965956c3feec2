import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

/** A member whom a card of the review names. */
const reviewedMember = z.object({ id: z.int(), name: z.string(), profile_picture: z.nullable(z.string()) });
export type ReviewedMember = z.output<typeof reviewedMember>;

/** The group's year. Days are `YYYY-MM-DD`, months 1 to 12, weekdays 0 (Monday) to 6 (Sunday). */
const groupYear = z.object({
  total: z.int(),
  /** Number of non-alcoholic beers in `total`. */
  alcohol_free: z._default(z.int(), 0),
  /** Number of the group's beers in the previous year. */
  previous_total: z.int(),
  /** Every day on which the group drank a beer. */
  days: z.array(z.string()),
  /** The month with the most visits. A visit is one member on one day with a beer. */
  month: z.int(),
  /** The weekday with the most visits. */
  weekday: z.int(),
  /**
   * The day with the most beers. `others`: number of its drinkers who have deleted their account or
   * are disabled.
   */
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
  /**
   * The other member with the most days on which both members drank a beer, and the number of these
   * days; `null` if there is no such day.
   */
  company: z.nullable(z.object({ member: reviewedMember, days: z.int() })),
  /**
   * The longest run of days without a beer between two beers of the member; `null` if there is no
   * such day.
   */
  pause: z.nullable(z.object({ from: z.string(), to: z.string(), days: z.int() })),
});
export type OwnYear = z.output<typeof ownYear>;

/**
 * The review of a year. Until the year is over (`final`), it covers the days up to today. `own`:
 * `null` if the requesting member has no beer in the year.
 */
export const yearReview = z.object({
  year: z.int(),
  final: z.boolean(),
  group: groupYear,
  own: z.nullable(ownYear),
  /** The photos of party tables that the requesting member has chosen, oldest first. */
  photos: z._default(z.array(z.object({ id: z.string(), party: z.string() })), []),
});
export type YearReview = z.output<typeof yearReview>;

export const reviewYears = z.object({
  /** Years that have a review, newest first. */
  years: z.array(z.object({ year: z.int(), final: z.boolean() })),
  /**
   * Today by the server's clock, `YYYY-MM-DD`. Pages compare it with the day on which the review
   * opens.
   */
  today: z.string(),
});
export type ReviewYears = z.output<typeof reviewYears>;

export const getReviewYears = endpoint("GET /api/beercounter/years", {
  who: "member",
  reply: reviewYears,
});

/**
 * Returns the review of a year; 404 for years without a beer, and for the current year before 1
 * December.
 */
export const getYearReview = endpoint("GET /api/beercounter/years/:year", {
  who: "member",
  params: z.object({ year: z.string().check(z.regex(/^\d{4}$/)) }),
  reply: yearReview,
});
