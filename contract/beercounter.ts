import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { event } from "./event.ts";
import { field } from "./labels.ts";

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

/** Compares for rankings: most beers first, then by name, then by id. */
export function compareDrinkers(one: Drinker, other: Drinker): number {
  const difference = other.beercounter_entries_count - one.beercounter_entries_count;
  return difference || one.name.localeCompare(other.name, "de") || one.id - other.id;
}

/** Seven numbers, Monday to Sunday: the beers of the current week, and the averages per weekday (2 decimals). */
const weekOfCounts = z.array(z.int()).check(z.length(7));
const weekOfAverages = z.array(z.number()).check(z.length(7));
export const timelyStats = z.object({ thisWeek: weekOfCounts, allWeeks: weekOfAverages });
export type TimelyStats = z.output<typeof timelyStats>;

/** The same as a page reads it: whatever is missing counts as 0. */
const receivedWeek = z.pipe(
  z._default(z.array(z.nullable(z.number())), []),
  z.transform((days) => [0, 1, 2, 3, 4, 5, 6].map((day) => days[day] ?? 0)),
);
export const receivedTimelyStats = z.object({ thisWeek: receivedWeek, allWeeks: receivedWeek });

/** An `Idempotency-Key`: one per tap, chosen by the client, so that a repeated request never counts twice. */
export const idempotencyKey = z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/));

/** The greatest age of a tap that is not booked yet, and the time to take a beer back, in milliseconds. */
export const tapLimits = { age: 7 * 24 * 60 * 60_000, undo: 15 * 60_000 } as const;

/**
 * The headers of a tap. `age`: milliseconds since the tap when it is sent, which is right even if the clock of the phone is
 * wrong. `member`: the id of the member, so that a tap that waited is not booked for another one who logged in meanwhile.
 */
export const tapHeaders = { key: "Idempotency-Key", age: "Tap-Age", member: "Tapped-By" } as const;

/**
 * The header of every answer with the counters: the version of exactly these two numbers, as in `beercounterUpdated`. Of two
 * answers or events the one with the higher version is the newer. A replayed tap has none, since its numbers are old.
 */
export const countersVersionHeader = "Counters-Version";

/** `true` on the answer to a tap that was booked, or to an undo that was made, by an earlier request. */
export const replayedHeader = "Idempotent-Replayed";

/** What is special about a beer: "0,0" is one without alcohol, which counts like any other. Null: nothing. */
export const beerKind = z.nullable(z.literal("0,0"));
export type BeerKind = z.output<typeof beerKind>;

/** What a tap may say: its kind. Whatever else it says is ignored, as is a kind that nobody knows. */
export const tapBody = z.object({
  kind: field(
    "Sorte",
    z.pipe(
      z.optional(z.unknown()),
      z.transform((kind): BeerKind => beerKind.safeParse(kind).data ?? null),
    ),
  ),
});

/** One of one's own beers. `late`: it was booked more than a minute after it was drunk. */
export const ownBeer = z.object({
  id: z.int(),
  key: z.nullable(z.string()),
  /** When it was drunk, ISO 8601. */
  at: z.string(),
  late: z.boolean(),
  kind: z._default(beerKind, null),
  /** For how long it may still be taken back, by the server's clock. */
  removable_seconds: z.int(),
});
export type OwnBeer = z.output<typeof ownBeer>;

export const getCounters = endpoint("GET /api/beercounter/counters", {
  who: "member",
  perMinute: 1200,
  reply: counters,
});

/** Books one beer. With an `Idempotency-Key` the same key gets the same answer and counts once; see `tapHeaders`. */
export const drinkBeer = endpoint("POST /api/beercounter/counters", {
  who: "member",
  perMinute: 600,
  perDay: 2000,
  body: tapBody,
  reply: counters,
});

/** One's own beers that were booked within the last 24 hours, the last one drunk first. */
export const getOwnBeers = endpoint("GET /api/beercounter/beers", {
  who: "member",
  perMinute: 600,
  reply: z.object({ beers: z.array(ownBeer) }),
});

/** Takes one of one's own beers back. Twice is the same as once; 403 when it is too late. */
export const removeBeer = endpoint("DELETE /api/beercounter/beers/:id", {
  who: "member",
  perMinute: 600,
  params: z.object({ id: z.pipe(z.string().check(z.regex(/^[1-9]\d{0,9}$/)), z.transform(Number)) }),
  reply: counters,
});

/** The same by the key of its tap. If that tap arrives later, it does not count. */
export const undoTap = endpoint("DELETE /api/beercounter/taps/:key", {
  who: "member",
  perMinute: 600,
  perDay: 1000,
  params: z.object({ key: idempotencyKey }),
  reply: counters,
});

export const getDrinkers = endpoint("GET /api/beercounter/stats/user", {
  who: "member",
  perMinute: 600,
  reply: z.object({ users: z.array(drinker) }),
});

export const getTimelyStats = endpoint("GET /api/beercounter/stats/timely", {
  who: "member",
  perMinute: 600,
  reply: timelyStats,
});

/** `at`: when it was drunk, ISO 8601. */
const latestBeer = z.object({ userId: z.int(), userName: z.string(), at: z.string() });
export type LatestBeer = z.output<typeof latestBeer>;

/** The last beer of an enabled member who is not paused; null before the first one. */
export const getLatestBeer = endpoint("GET /api/beercounter/latest", {
  who: "member",
  perMinute: 600,
  reply: z.object({ beer: z.nullable(latestBeer) }),
});

/**
 * The counts have changed. With a member: a beer was drunk just now, by this member. Without one: a late beer, an undo, a
 * beer of a paused member or an import, or events may have been missed. `version` rises with every change.
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
