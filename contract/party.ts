import * as z from "zod/mini";

import { beerKind, drinker } from "./beercounter.ts";
import { endpoint } from "./endpoint.ts";
import { fixedMessage, readableText, rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { partyGuest } from "./party-guests.ts";
import { partyRecap } from "./party-recap.ts";

/**
 * The longest name of a party, the longest time to its end (ms: from 6:00 to noon of the next day, which may have 25 hours), how many
 * run at most at once, and how many of its last taps are shown.
 */
export const partyLimits = { name: 60, length: 31 * 60 * 60_000, running: 5, taps: 10 } as const;

const partyParams = z.object({ id: rowId });
const partyBody = z.object({ name: field("Name", readableText(partyLimits.name)) });

/** A named evening. The beers that its members drink during their stays belong to it. Times in ISO 8601. */
const party = z.object({
  id: z.int(),
  name: z.string(),
  starts_at: z.string(),
  /** While it runs, the time at which it ends automatically. */
  ends_at: z.string(),
  is_running: z.boolean(),
  total: z.int(),
});

const listedParty = z.extend(party, { member_count: z.int() });
export type ListedParty = z.output<typeof listedParty>;

/** The running ones and then, page by page, those that are over, the newest first; `?before=` an id of these goes on from there. */
export const getParties = endpoint("GET /api/parties", {
  who: "member",
  perMinute: 600,
  query: z.object({ before: z.optional(rowId) }),
  reply: z.object({ parties: z.array(listedParty), has_more: z.boolean() }),
});

/** The part of the requesting member in a party. */
const ownPart = {
  /** While it runs: the member's beers count. Afterwards: the member took part. */
  is_member: z.boolean(),
  /** `true` if the member has gone home from the running party and may come back. */
  is_home: z._default(z.boolean(), false),
  /** Own beers since its start that joining may include; 0 for members who took part already. */
  earlier: z._default(z.int(), 0),
  own_total: z.int(),
  /** The member's own count, and the version of the counters, at which this reply was made. */
  user_counter: z._default(z.int(), 0),
  counters_version: z._default(z.int(), 0),
};

const partyMember = z.extend(drinker, {
  /** `true` for a member who has gone home from the running party. */
  is_home: z._default(z.boolean(), false),
});

const partyTap = z.object({
  id: z.int(),
  userId: z.int(),
  userName: z.string(),
  avatarId: z.nullable(z.string()),
  /** When it was drunk, ISO 8601. */
  at: z.string(),
  kind: beerKind,
});
export type PartyTap = z.output<typeof partyTap>;

const shownParty = z.extend(party, {
  ...ownPart,
  /** The name of the member who started it; empty if that member is disabled or paused. */
  by: z.string(),
  /** Whether the member may rename, end and delete it. */
  is_manager: z.boolean(),
  /** `true` if the member who started it has deleted the account. */
  is_starter_former: z._default(z.boolean(), false),
  /** The ranking: its members who are enabled and not paused, also those who have gone home. */
  users: z.array(partyMember),
  /** The last taps of these members, the newest first; none unless the member takes part in the running party. */
  taps: z._default(z.array(partyTap), []),
  /** Number of other members who take part; their beers are in the total. */
  others: z.int(),
  /** The guests by name, while the party is running. */
  guests: z._default(z.array(partyGuest), []),
  guest_count: z._default(z.int(), 0),
  /** `null` while the party is running, and without a beer. */
  recap: z._default(z.nullable(partyRecap), null),
  /** The beers of every hour from the first beer to the last one, for open pages of versions without `recap`; `at` is its start. */
  hours: z.array(z.object({ at: z.string(), total: z.int() })),
  /** Null without a beer. */
  first_beer_at: z.nullable(z.string()),
  last_beer_at: z.nullable(z.string()),
});
export type ShownParty = z.output<typeof shownParty>;

export const getParty = endpoint("GET /api/parties/:id", {
  who: "member",
  perMinute: 600,
  params: partyParams,
  reply: shownParty,
});

/** A running party as the counter shows it. */
const runningParty = z.extend(party, {
  ...ownPart,
  /** The members who take part now, are enabled and not paused, by name. */
  users: z.array(z.object({ id: z.int(), name: z.string(), profile_picture: z.nullable(z.string()) })),
  /** Number of other members who take part now. */
  others: z.int(),
});
export type RunningParty = z.output<typeof runningParty>;

/** The running parties, those of the member first, then the newest first. */
export const getRunningParties = endpoint("GET /api/running-parties", {
  who: "member",
  perMinute: 600,
  reply: z.object({ parties: z.array(runningParty) }),
});

/** The creator joins automatically. */
export const startParty = endpoint("POST /api/parties", {
  who: "member",
  perDay: 50,
  body: partyBody,
  reply: z.object({ id: z.int() }),
  status: 201,
});

export const renameParty = endpoint("POST /api/parties/:id", {
  who: "member",
  params: partyParams,
  body: partyBody,
  reply: fixedMessage("Umbenannt."),
});

/** Joins, or comes back: beers count from now on, or, when joining, from the party's start. Idempotent. */
export const joinParty = endpoint("POST /api/parties/:id/members", {
  who: "member",
  params: partyParams,
  body: z.object({ with_earlier: field("Frühere Biere", z.optional(z.boolean())) }),
  reply: fixedMessage("Du bist dabei!"),
});

/** Ends the member's stay: later beers do not count, earlier ones stay. Idempotent. */
export const goHomeFromParty = endpoint("POST /api/parties/:id/home", {
  who: "member",
  params: partyParams,
  reply: fixedMessage("Komm gut heim!"),
});

/** Takes all beers of the member out of the party. Idempotent. */
export const leaveParty = endpoint("DELETE /api/parties/:id/members", {
  who: "member",
  params: partyParams,
  reply: fixedMessage("Du bist nicht mehr dabei."),
});

export const endParty = endpoint("POST /api/parties/:id/end", {
  who: "member",
  params: partyParams,
  reply: fixedMessage("Die Party ist vorbei."),
});

/** The beers stay. */
export const deleteParty = endpoint("DELETE /api/parties/:id", {
  who: "member",
  params: partyParams,
  reply: fixedMessage("Party gelöscht."),
});
