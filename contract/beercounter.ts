import * as z from "zod/mini";

import { endpoint, type ReplyOf } from "./endpoint.ts";
import { type DataOf, event } from "./event.ts";
import { field } from "./labels.ts";

/** `Totals` under the names that the wire format prescribes. */
export const counters = z.object({ KSKCounterVal: z.int(), userCounterVal: z.int() });
export type Counters = z.output<typeof counters>;

/** Numbers of beers of the whole group and of the requesting member. */
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
export function compareDrinkers(
  one: Pick<Drinker, "id" | "name" | "beercounter_entries_count">,
  other: typeof one,
): number {
  const difference = other.beercounter_entries_count - one.beercounter_entries_count;
  return difference || one.name.localeCompare(other.name, "de") || one.id - other.id;
}

/**
 * Seven values from Monday to Sunday. `thisWeek`: beers per day of this week; `allWeeks`: average
 * beers per weekday, with two decimals.
 */
const weekOfCounts = z.array(z.int()).check(z.length(7));
const weekOfAverages = z.array(z.number()).check(z.length(7));
export const timelyStats = z.object({ thisWeek: weekOfCounts, allWeeks: weekOfAverages });
export type TimelyStats = z.output<typeof timelyStats>;

/** Parses a week in the browser: missing or `null` values become 0. */
const receivedWeek = z.pipe(
  z._default(z.array(z.nullable(z.number())), []),
  z.transform((days) => [0, 1, 2, 3, 4, 5, 6].map((day) => days[day] ?? 0)),
);
export const receivedTimelyStats = z.object({ thisWeek: receivedWeek, allWeeks: receivedWeek });

/**
 * The value of an `Idempotency-Key` header. The client creates one key per tap, so that a retry
 * never counts twice. Keys that begin with `import-` belong to imports, whose beers a member could
 * otherwise block.
 */
export const idempotencyKey = z.string().check(z.regex(/^(?!import-)[A-Za-z0-9_-]{8,64}$/));

/**
 * Milliseconds. `age`: maximum age of a tap that the server still books; `undo`: the time after the
 * booking during which a beer can be undone.
 */
export const tapLimits = { age: 7 * 24 * 60 * 60_000, undo: 15 * 60_000 } as const;

/**
 * Header names of a tap request. `age`: milliseconds since the tap, independent of the phone's
 * clock. `member`: id of the member who tapped, so that a stored tap is not booked for another
 * member who has logged in later.
 */
export const tapHeaders = { key: "Idempotency-Key", age: "Tap-Age", member: "Tapped-By" } as const;

/**
 * Response header with the version of the counters, a number that rises with every change. Missing
 * if the tap was already booked, because that reply repeats the counters of the first reply.
 */
export const countersVersionHeader = "Counters-Version";

/**
 * Response header; `true` if an earlier request had already booked this tap or undone this beer.
 */
export const replayedHeader = "Idempotent-Replayed";

/** `"0,0"` for a non-alcoholic beer, which counts like any other; otherwise `null`. */
export const beerKind = z.nullable(z.literal("0,0"));
export type BeerKind = z.output<typeof beerKind>;

/** The body of a tap. The server ignores other fields and treats an unknown kind as `null`. */
export const tapBody = z.object({
  kind: field(
    "Sorte",
    z.pipe(
      z.optional(z.unknown()),
      z.transform((kind): BeerKind => beerKind.safeParse(kind).data ?? null),
    ),
  ),
});

/** The other member, or the tablet, who booked a beer for its drinker. */
const bookedBy = z.object({ kind: z.enum(["member", "tablet"]), name: z.string() });
export type BookedBy = z.output<typeof bookedBy>;

/** A beer of the requesting member. `late`: booked more than a minute after the tap. */
export const ownBeer = z.object({
  id: z.int(),
  key: z.nullable(z.string()),
  /** Time of the tap in ISO 8601. */
  at: z.string(),
  late: z.boolean(),
  kind: z._default(beerKind, null),
  /** Seconds left to undo the beer, by the server's clock; 0 after the time limit. */
  removable_seconds: z.int(),
  /** `null` for a beer that the member booked. */
  booked_by: z._default(z.nullable(bookedBy), null),
});
export type OwnBeer = z.output<typeof ownBeer>;

/** A beer that the requesting member booked for another member. */
const beerForOther = z.extend(z.omit(ownBeer, { id: true, booked_by: true }), {
  member: z.object({ id: z.int(), name: z.string() }),
});
export type BeerForOther = z.output<typeof beerForOther>;

export const getCounters = endpoint("GET /api/beercounter/counters", {
  who: "member",
  tokens: ["read"],
  perMinute: 1200,
  reply: counters,
});

/**
 * Books one beer; idempotent with an `Idempotency-Key`. See `tapHeaders` for the optional headers.
 */
export const drinkBeer = endpoint("POST /api/beercounter/counters", {
  who: "member",
  tokens: ["tap"],
  perMinute: 600,
  perDay: 2000,
  isRateDivided: true,
  body: tapBody,
  reply: counters,
});

/**
 * Returns the requesting member's beers booked within the last 24 hours, and those that the member booked for others;
 * the most recently drunk beer comes first.
 */
export const getOwnBeers = endpoint("GET /api/beercounter/beers", {
  who: "member",
  tokens: ["read"],
  perMinute: 600,
  reply: z.object({ beers: z.array(ownBeer), for_others: z._default(z.array(beerForOther), []) }),
});

/**
 * Undoes a beer of the requesting member. Idempotent; 403 after the 15 minutes in `tapLimits.undo`.
 */
export const removeBeer = endpoint("DELETE /api/beercounter/beers/:id", {
  who: "member",
  perMinute: 600,
  params: z.object({ id: z.pipe(z.string().check(z.regex(/^[1-9]\d{0,9}$/)), z.transform(Number)) }),
  reply: counters,
});

/**
 * Undoes the requesting member's beer that was booked with this tap key. A tap request with this
 * key that arrives later is not booked.
 */
export const undoTap = endpoint("DELETE /api/beercounter/taps/:key", {
  who: "member",
  tokens: ["tap"],
  perMinute: 600,
  perDay: 1000,
  isRateDivided: true,
  params: z.object({ key: idempotencyKey }),
  reply: counters,
});

/**
 * A ranking of more than `all` members is shortened to the first `top` members, and the requesting
 * member with `near` members above and `near` below.
 */
export const rankingLimits = { all: 100, top: 50, near: 5 } as const;

/**
 * Returns the ranking. With `range=near`, the ranking of a large group is shortened to
 * `rankingLimits`: each user then has a `rank` from 1, and `total` is the number of all ranked
 * members.
 */
export const getDrinkers = endpoint("GET /api/beercounter/stats/user", {
  who: "member",
  tokens: ["read"],
  perMinute: 600,
  query: z.object({ range: z.optional(field("Ausschnitt", z.literal("near"))) }),
  reply: z.object({
    users: z.array(z.extend(drinker, { rank: z.optional(z.int()) })),
    total: z.optional(z.int()),
  }),
});
export type ShownRanking = ReplyOf<typeof getDrinkers>;

export const getTimelyStats = endpoint("GET /api/beercounter/stats/timely", {
  who: "member",
  tokens: ["read"],
  perMinute: 600,
  reply: timelyStats,
});

/** The most recent beer of the group. `at`: time of the tap in ISO 8601. */
const latestBeer = z.object({ userId: z.int(), userName: z.string(), at: z.string() });
export type LatestBeer = z.output<typeof latestBeer>;

/**
 * Returns the most recent beer of the enabled members who are visible; `null` before the first
 * beer.
 */
export const getLatestBeer = endpoint("GET /api/beercounter/latest", {
  who: "member",
  tokens: ["read"],
  perMinute: 600,
  reply: z.object({ beer: z.nullable(latestBeer) }),
});

/**
 * The changes that an event reports besides its newest beer, because the server merges changes to
 * at most ten events a second. `userIds`: the members who drank the other beers, the newest first;
 * `names`: the names of the first three. `isMore`: `true` if one of the merged changes names no
 * member.
 */
const otherBeers = z.object({ userIds: z.array(z.int()), names: z.array(z.string()), isMore: z.boolean() });

/** New numbers of beers by member id: `[[id, total], …]`. */
const newTotals = z.array(z.tuple([z.int(), z.int()]));
export type NewTotals = z.output<typeof newTotals>;

/** New numbers of a running party. `totals`: of those members whose beers changed and who are in its ranking. */
const partyNumbers = z.object({ id: z.int(), total: z.int(), guest_total: z.int(), totals: newTotals });
export type PartyNumbers = z.output<typeof partyNumbers>;

/**
 * The numbers that beers have changed after the version `since`. `totals`: of members in the ranking; `parties`: all
 * running parties.
 */
export const charts = z.object({
  since: z.int(),
  totals: newTotals,
  weekdays: timelyStats,
  parties: z.array(partyNumbers),
});
export type Charts = z.output<typeof charts>;

/**
 * The counts have changed. `userId`: the member who has just drunk a beer; `null` after other
 * changes, e.g. a late beer, an undo, a beer of a member who is not visible or an import, and when a page may
 * have missed events. `version` rises with every change of the counts. The fields of `charts` are missing if
 * something else than beers has changed: pages then refetch.
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
    others: z.optional(otherBeers),
    ...z.partial(charts).shape,
  }),
});
export type CounterEvent = DataOf<typeof beercounterUpdated>;

/** Data that a page gets when it subscribes to the channel of `beercounterUpdated`; `totals` only in small groups. */
export const subscribedCounters = z.object({ version: z.int(), counters, ...z.partial(charts).shape });
export type SubscribedCounters = z.output<typeof subscribedCounters>;
