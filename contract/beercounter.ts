import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { event } from "./event.ts";
import { field } from "./labels.ts";

/** The totals under their names on the wire. */
export const counters = z.object({ KSKCounterVal: z.int(), userCounterVal: z.int() });
export type Counters = z.output<typeof counters>;

/** Numbers of beers of the whole group and of the member. */
export interface Totals {
  readonly group: number;
  readonly own: number;
}

export function toCounters({ group, own }: Totals): Counters {
  return { KSKCounterVal: group, userCounterVal: own };
}

export function toTotals({ KSKCounterVal, userCounterVal }: Counters): Totals {
  return { group: KSKCounterVal, own: userCounterVal };
}

export const drinker = z.object({
  id: z.int(),
  name: z.string(),
  uname: z.string(),
  profile_picture: z.nullable(z.string()),
  beercounter_entries_count: z.int(),
});
export type Drinker = z.output<typeof drinker>;

/** Compares drinkers for rankings: most beers first, then by name, then by id. */
export function compareDrinkers(one: Drinker, other: Drinker): number {
  const difference = other.beercounter_entries_count - one.beercounter_entries_count;
  return difference || one.name.localeCompare(other.name, "de") || one.id - other.id;
}

/** Seven numbers from Monday to Sunday: beers of the current week, and averages per weekday with 2 decimals. */
const weekOfCounts = z.array(z.int()).check(z.length(7));
const weekOfAverages = z.array(z.number()).check(z.length(7));
export const timelyStats = z.object({ thisWeek: weekOfCounts, allWeeks: weekOfAverages });
export type TimelyStats = z.output<typeof timelyStats>;

/** A week as pages parse it: missing numbers count as 0. */
const receivedWeek = z.pipe(
  z._default(z.array(z.nullable(z.number())), []),
  z.transform((days) => [0, 1, 2, 3, 4, 5, 6].map((day) => days[day] ?? 0)),
);
export const receivedTimelyStats = z.object({ thisWeek: receivedWeek, allWeeks: receivedWeek });

/** An `Idempotency-Key`: one per tap, chosen by the client, so that a retry never counts twice. */
export const idempotencyKey = z.string().check(z.regex(/^[A-Za-z0-9_-]{8,64}$/));

/** Milliseconds: the maximum age of a tap that is not booked yet, and the time during which a beer can be undone. */
export const tapLimits = { age: 7 * 24 * 60 * 60_000, undo: 15 * 60_000 } as const;

/**
 * The headers of a tap. `age`: milliseconds since the tap, which does not depend on the phone's clock. `member`: the id of the
 * member, so that a waiting tap is not booked for another member who logged in since.
 */
export const tapHeaders = { key: "Idempotency-Key", age: "Tap-Age", member: "Tapped-By" } as const;

/**
 * The header of every answer with counters: their version, as in `beercounterUpdated`. The higher version is newer. A replayed
 * tap has none, since its numbers are old.
 */
export const countersVersionHeader = "Counters-Version";

/** `true` if an earlier request had already booked this tap or made this undo. */
export const replayedHeader = "Idempotent-Replayed";

/** The kind of a beer: "0,0" for a non-alcoholic one, which counts like any other; otherwise `null`. */
export const beerKind = z.nullable(z.literal("0,0"));
export type BeerKind = z.output<typeof beerKind>;

/** The body of a tap. Other fields and unknown kinds are ignored. */
export const tapBody = z.object({
  kind: field(
    "Sorte",
    z.pipe(
      z.optional(z.unknown()),
      z.transform((kind): BeerKind => beerKind.safeParse(kind).data ?? null),
    ),
  ),
});

/** One of the member's own beers. `late`: booked more than a minute after it was drunk. */
export const ownBeer = z.object({
  id: z.int(),
  key: z.nullable(z.string()),
  /** When it was drunk, in ISO 8601. */
  at: z.string(),
  late: z.boolean(),
  kind: z._default(beerKind, null),
  /** Seconds during which it can still be undone, by the server's clock. */
  removable_seconds: z.int(),
});
export type OwnBeer = z.output<typeof ownBeer>;

export const getCounters = endpoint("GET /api/beercounter/counters", {
  who: "member",
  tokens: ["read"],
  perMinute: 1200,
  reply: counters,
});

/** Books one beer. Idempotent with an `Idempotency-Key`; see `tapHeaders`. */
export const drinkBeer = endpoint("POST /api/beercounter/counters", {
  who: "member",
  tokens: ["tap"],
  perMinute: 600,
  perDay: 2000,
  body: tapBody,
  reply: counters,
});

/** The member's own beers booked within the last 24 hours, the last one drunk first. */
export const getOwnBeers = endpoint("GET /api/beercounter/beers", {
  who: "member",
  tokens: ["read"],
  perMinute: 600,
  reply: z.object({ beers: z.array(ownBeer) }),
});

/** Undoes an own beer. Idempotent; 403 if it is too late. */
export const removeBeer = endpoint("DELETE /api/beercounter/beers/:id", {
  who: "member",
  perMinute: 600,
  params: z.object({ id: z.pipe(z.string().check(z.regex(/^[1-9]\d{0,9}$/)), z.transform(Number)) }),
  reply: counters,
});

/** Undoes an own beer by the key of its tap. If that tap arrives later, it does not count. */
export const undoTap = endpoint("DELETE /api/beercounter/taps/:key", {
  who: "member",
  tokens: ["tap"],
  perMinute: 600,
  perDay: 1000,
  params: z.object({ key: idempotencyKey }),
  reply: counters,
});

export const getDrinkers = endpoint("GET /api/beercounter/stats/user", {
  who: "member",
  tokens: ["read"],
  perMinute: 600,
  reply: z.object({ users: z.array(drinker) }),
});

export const getTimelyStats = endpoint("GET /api/beercounter/stats/timely", {
  who: "member",
  tokens: ["read"],
  perMinute: 600,
  reply: timelyStats,
});

/** `at`: when it was drunk, in ISO 8601. */
const latestBeer = z.object({ userId: z.int(), userName: z.string(), at: z.string() });
export type LatestBeer = z.output<typeof latestBeer>;

/** The last beer of an enabled member who is not paused; `null` before the first one. */
export const getLatestBeer = endpoint("GET /api/beercounter/latest", {
  who: "member",
  tokens: ["read"],
  perMinute: 600,
  reply: z.object({ beer: z.nullable(latestBeer) }),
});

/**
 * The counts have changed. With a member: this member has just drunk a beer. Without one: a late beer, an undo, a beer of a
 * paused member, an import, or missed events. `version` rises with every change.
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
