import * as z from "zod/mini";

import { drinker } from "./beercounter.ts";
import { endpoint } from "./endpoint.ts";

/** How much time is looked at: a week from Monday to Sunday, a month or a year of the calendar, or everything. */
export const spans = ["week", "month", "year", "all"] as const;
export type Span = (typeof spans)[number];

/** A day of the calendar in the group's time zone, `YYYY-MM-DD`. */
const day = z.iso.date();

export const periodStats = z.object({
  span: z.enum(spans),
  /** The first and the last day of the period; everything lasts from the group's first beer until today. */
  from: day,
  to: day,
  /** The day it is by the server's clock. */
  today: day,
  /** A day of the period before and of the one after; null before the group's first beer, and after now. */
  earlier: z.nullable(day),
  later: z.nullable(day),
  total: z.int(),
  /** The period before: until the same point while this one lasts, whole (`is_whole`) once it is over. Null: nothing yet. */
  before: z.nullable(z.object({ from: day, to: day, total: z.int(), is_whole: z.boolean() })),
  /** In order: days (`2026-11-21`), months (`2026-11`) or years (`2026`), those to come with a total of 0. */
  bars: z.array(z.object({ time: z.string(), total: z.int() })),
  /** Every enabled member with her or his beers of this period. */
  users: z.array(drinker),
});
export type PeriodStats = z.output<typeof periodStats>;

/** The period that `?day=` lies in: today unless given, and no day before the first beer or after today. */
export const getPeriodStats = endpoint("GET /api/beercounter/stats/period", {
  who: "member",
  perMinute: 600,
  query: z.object({ span: z.enum(spans), day: z.optional(day) }),
  reply: periodStats,
});
