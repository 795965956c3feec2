import * as z from "zod/mini";

import { beerKind, drinker } from "./beercounter.ts";
import { endpoint } from "./endpoint.ts";
import { fixedMessage, readableText, rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { partyGuest } from "./party-guests.ts";
import { partyRecap } from "./party-recap.ts";

/**
 * Limits: length of a name, duration in ms (6:00 to noon of the next day, which may have 25 hours), running parties, and shown
 * taps.
 */
export const partyLimits = { name: 60, length: 31 * 60 * 60_000, running: 5, taps: 10 } as const;

const partyParams = z.object({ id: rowId });
const partyBody = z.object({ name: field("Name", readableText(partyLimits.name)) });

/** A named evening, to which the beers of its members during their stays belong. Times in ISO 8601. */
const party = z.object({
  id: z.int(),
  name: z.string(),
  starts_at: z.string(),
  /** For running parties the time of the automatic end. */
  ends_at: z.string(),
  is_running: z.boolean(),
  total: z.int(),
});

const listedParty = z.extend(party, { member_count: z.int() });
export type ListedParty = z.output<typeof listedParty>;

/** Running parties, then finished ones, newest first, paginated with `?before=` an id of a finished one. */
export const getParties = endpoint("GET /api/parties", {
  who: "member",
  tokens: ["read"],
  perMinute: 600,
  query: z.object({ before: z.optional(rowId) }),
  reply: z.object({ parties: z.array(listedParty), has_more: z.boolean() }),
});

/** The part of the requesting member in a party. */
const ownPart = {
  /** For running parties: the member's beers count. For finished ones: the member took part. */
  is_member: z.boolean(),
  /** `true` if the member has gone home from the running party and may come back. */
  is_home: z._default(z.boolean(), false),
  /** Own beers since the start that joining may include; 0 for members who already took part. */
  earlier: z._default(z.int(), 0),
  own_total: z.int(),
  /** The member's own count and the version of the counters at the time of this reply. */
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
  /** When it was drunk, in ISO 8601. */
  at: z.string(),
  kind: beerKind,
});
export type PartyTap = z.output<typeof partyTap>;

const shownParty = z.extend(party, {
  ...ownPart,
  /** The name of the member who started it; empty if that member is disabled or paused. */
  by: z.string(),
  /** `true` if the member may rename, end and delete the party. */
  is_manager: z.boolean(),
  /** `true` if the member who started it has deleted the account. */
  is_starter_former: z._default(z.boolean(), false),
  /** The ranking: enabled members who are not paused, including those who have gone home. */
  users: z.array(partyMember),
  /** Their last taps, newest first; empty unless the requesting member takes part in the running party. */
  taps: z._default(z.array(partyTap), []),
  /** Number of further participants, whose beers count in the total. */
  others: z.int(),
  /** The guests, while the party is running. */
  guests: z._default(z.array(partyGuest), []),
  guest_count: z._default(z.int(), 0),
  /** `null` while the party is running, and without beers. */
  recap: z._default(z.nullable(partyRecap), null),
  /** Beers per hour from the first to the last beer, for open pages of versions without `recap`; `at` is its start. */
  hours: z.array(z.object({ at: z.string(), total: z.int() })),
  /** `null` without beers. */
  first_beer_at: z.nullable(z.string()),
  last_beer_at: z.nullable(z.string()),
});
export type ShownParty = z.output<typeof shownParty>;

export const getParty = endpoint("GET /api/parties/:id", {
  who: "member",
  tokens: ["read"],
  perMinute: 600,
  params: partyParams,
  reply: shownParty,
});

/** A running party as the counter shows it. */
const runningParty = z.extend(party, {
  ...ownPart,
  /** The current participants who are enabled and not paused, by name. */
  users: z.array(z.object({ id: z.int(), name: z.string(), profile_picture: z.nullable(z.string()) })),
  /** Number of further current participants. */
  others: z.int(),
});
export type RunningParty = z.output<typeof runningParty>;

/** The running parties, those of the member first, then newest first. */
export const getRunningParties = endpoint("GET /api/running-parties", {
  who: "member",
  tokens: ["read"],
  perMinute: 600,
  reply: z.object({ parties: z.array(runningParty) }),
});

/** Starts a party; the creator joins automatically. */
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

/** Joins or rejoins: beers count from now on, or, when joining, optionally from the party's start. Idempotent. */
export const joinParty = endpoint("POST /api/parties/:id/members", {
  who: "member",
  params: partyParams,
  body: z.object({ with_earlier: field("Frühere Biere", z.optional(z.boolean())) }),
  reply: fixedMessage("Du bist dabei!"),
});

/** Ends the member's stay: earlier beers count, later ones do not. Idempotent. */
export const goHomeFromParty = endpoint("POST /api/parties/:id/home", {
  who: "member",
  params: partyParams,
  reply: fixedMessage("Komm gut heim!"),
});

/** Removes all beers of the member from the party. Idempotent. */
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

/** Deletes a party; its beers still count. */
export const deleteParty = endpoint("DELETE /api/parties/:id", {
  who: "member",
  params: partyParams,
  reply: fixedMessage("Party gelöscht."),
});
