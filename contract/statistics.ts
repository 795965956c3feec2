import * as z from "zod/mini";

import { drinker } from "./beercounter.ts";
import { endpoint } from "./endpoint.ts";

/** The length of a period: a week from Monday to Sunday, a calendar month or year, or all time. */
export const spans = ["week", "month", "year", "all"] as const;
export type Span = (typeof spans)[number];

/** A date in the group's time zone, `YYYY-MM-DD`. */
const day = z.iso.date();

export const periodStats = z.object({
  span: z.enum(spans),
  /** First and last day of the period; all time lasts from the group's first beer until today. */
  from: day,
  to: day,
  /** Today by the server's clock. */
  today: day,
  /** A day of the previous and of the next period; `null` if there is none between the first beer and today. */
  earlier: z.nullable(day),
  later: z.nullable(day),
  total: z.int(),
  /** Number of non-alcoholic beers among these. */
  alcohol_free: z._default(z.int(), 0),
  /** The period before, up to the same day until this one is over, then whole (`is_whole`). Null before the first beer. */
  before: z.nullable(z.object({ from: day, to: day, total: z.int(), is_whole: z.boolean() })),
  /** In order: days (`2026-11-21`), months (`2026-11`) or years (`2026`); future ones have a total of 0. */
  bars: z.array(z.object({ time: z.string(), total: z.int() })),
  /** Every enabled member with the beers of this period. */
  users: z.array(drinker),
});
export type PeriodStats = z.output<typeof periodStats>;

/** The period that `?day=` lies in, by default the current one. Days before the first beer or after today count as these. */
export const getPeriodStats = endpoint("GET /api/beercounter/stats/period", {
  who: "member",
  tokens: ["read"],
  perMinute: 600,
  query: z.object({ span: z.enum(spans), day: z.optional(day) }),
  reply: periodStats,
});
