import * as z from "zod/mini";

import { drinker } from "./beercounter.ts";
import { endpoint } from "./endpoint.ts";

/**
 * Lengths of a period: a week from Monday to Sunday, a calendar month, a calendar year, or all
 * time.
 */
export const spans = ["week", "month", "year", "all"] as const;
export type Span = (typeof spans)[number];

/** A date in the group's time zone, `YYYY-MM-DD`. */
const day = z.iso.date();

export const periodStats = z.object({
  span: z.enum(spans),
  /**
   * First and last day of the period. With `all`, from the day of the group's first beer until
   * today.
   */
  from: day,
  to: day,
  /** Today by the server's clock. */
  today: day,
  /**
   * A day in the previous and in the next period; `null` if that period has no day between the
   * first beer and today.
   */
  earlier: z.nullable(day),
  later: z.nullable(day),
  total: z.int(),
  /** Number of non-alcoholic beers in `total`. */
  alcohol_free: z._default(z.int(), 0),
  /**
   * The previous period, for a comparison. If the requested period has not ended, the previous one
   * is cut at the same weekday or date; otherwise it is whole (`is_whole`). `null` if the previous
   * period ends before the group's first beer, and for the span `all`.
   */
  before: z.nullable(z.object({ from: day, to: day, total: z.int(), is_whole: z.boolean() })),
  /**
   * Beers per day (`2026-11-21`), month (`2026-11`) or year (`2026`), in order; 0 for future days,
   * months and years.
   */
  bars: z.array(z.object({ time: z.string(), total: z.int() })),
  /** All enabled members with their beers of this period. */
  users: z.array(drinker),
});
export type PeriodStats = z.output<typeof periodStats>;

/**
 * Returns the period that contains `?day=`, by default today. A day before the first beer is
 * treated as the day of that beer, a future day as today.
 */
export const getPeriodStats = endpoint("GET /api/beercounter/stats/period", {
  who: "member",
  tokens: ["read"],
  perMinute: 600,
  query: z.object({ span: z.enum(spans), day: z.optional(day) }),
  reply: periodStats,
});
