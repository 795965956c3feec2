import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { event } from "./event.ts";

export const counters = z.object({ KSKCounterVal: z.int(), userCounterVal: z.int() });
export type Counters = z.output<typeof counters>;

export const drinker = z.object({
  id: z.int(),
  name: z.string(),
  uname: z.string(),
  profile_picture: z.nullable(z.string()),
  beercounter_entries_count: z.int(),
});
export type Drinker = z.output<typeof drinker>;

/** Seven numbers, Monday to Sunday: beers of the current week, and average beers per weekday (2 decimals). */
const weekOfCounts = z.array(z.int()).check(z.length(7));
const weekOfAverages = z.array(z.number()).check(z.length(7));
export const timelyStats = z.object({ thisWeek: weekOfCounts, allWeeks: weekOfAverages });
export type TimelyStats = z.output<typeof timelyStats>;

/** An Idempotency-Key: chosen by the client, one per tap, so that a repeated request never counts twice. */
export const idempotencyKey = z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/));

export const getCounters = endpoint({
  method: "GET",
  path: "/api/beercounter/counters",
  who: "member",
  rate: { per: "member", limit: 1200, seconds: 60 },
  maxBody: 0,
  reply: counters,
});

/** Books one beer. With an `Idempotency-Key` header the same key gets the same answer and counts once. */
export const drinkBeer = endpoint({
  method: "POST",
  path: "/api/beercounter/counters",
  who: "member",
  rate: { per: "member", limit: 600, seconds: 60 },
  maxBody: 1024,
  accepts: "ignored",
  reply: counters,
});

export const getDrinkers = endpoint({
  method: "GET",
  path: "/api/beercounter/stats/user",
  who: "member",
  rate: { per: "member", limit: 600, seconds: 60 },
  maxBody: 0,
  reply: z.object({ users: z.array(drinker) }),
});

export const getTimelyStats = endpoint({
  method: "GET",
  path: "/api/beercounter/stats/timely",
  who: "member",
  rate: { per: "member", limit: 600, seconds: 60 },
  maxBody: 0,
  reply: timelyStats,
});

/**
 * Somebody drank: the group's total after that beer, and who it was. `version` rises with every change.
 * Without a member nobody drank just now: the counts were changed by other means, or events may have been missed.
 */
export const beercounterUpdated = event({
  channel: "private-beercounter",
  name: "updated",
  data: z.object({
    counterVal: z.int(),
    userId: z.nullable(z.int()),
    userName: z.nullable(z.string()),
    avatarId: z.nullable(z.string()),
    version: z.int(),
  }),
});
