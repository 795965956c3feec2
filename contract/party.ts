import * as z from "zod/mini";

import { beerKind, drinker } from "./beercounter.ts";
import { endpoint } from "./endpoint.ts";
import { fixedMessage, readableText, rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { askingGuest, partyGuest } from "./party-guests.ts";
import { partyPhoto } from "./party-photos.ts";
import { partyRecap } from "./party-recap.ts";

/**
 * Maximum values. `name`: characters; `length`: duration of a party in milliseconds, from 6:00
 * until noon of the next day plus one hour for the change from summer time; `running`: parties at
 * the same time; `taps`: listed taps; `earlier`: milliseconds before joining whose beers a member
 * can include, also from before the start of the party.
 */
export const partyLimits = {
  name: 60,
  length: 31 * 60 * 60_000,
  running: 5,
  taps: 10,
  earlier: 2 * 60 * 60_000,
} as const;

const partyParams = z.object({ id: rowId });
const partyBody = z.object({ name: field("Name", readableText(partyLimits.name)) });

/**
 * A named evening. Beers that its members drink between joining and going home belong to it. Times
 * in ISO 8601.
 */
const party = z.object({
  id: z.int(),
  name: z.string(),
  starts_at: z.string(),
  /** End of the party; for a running party the time at which it ends automatically. */
  ends_at: z.string(),
  is_running: z.boolean(),
  /** Number of all beers, including those of guests. */
  total: z.int(),
  guest_total: z._default(z.int(), 0),
});

const listedParty = z.extend(party, {
  member_count: z.int(),
  /** Number of open requests of guests that the requesting member may answer. */
  asking_count: z._default(z.int(), 0),
});
export type ListedParty = z.output<typeof listedParty>;

/**
 * Returns running parties, then finished ones, each newest first. `before`: the id of the last
 * finished party of the previous page.
 */
export const getParties = endpoint("GET /api/parties", {
  who: "member",
  tokens: ["read"],
  perMinute: 600,
  query: z.object({ before: z.optional(rowId) }),
  reply: z.object({ parties: z.array(listedParty), has_more: z.boolean() }),
});

/** The requesting member's part in a party. */
const ownPart = {
  /**
   * Running party: `true` if the member's beers count now. Finished party: `true` if the member
   * took part.
   */
  is_member: z.boolean(),
  /** `true` if the member has gone home from the running party; the member may rejoin. */
  is_home: z._default(z.boolean(), false),
  /**
   * Number of the member's beers of the last two hours, or since the start of the party if that is
   * longer ago, which joining can include; 0 if the member already took part.
   */
  earlier: z._default(z.int(), 0),
  own_total: z.int(),
  /** Number of all beers of the member, at this party or not, at the time of this reply. */
  user_counter: z._default(z.int(), 0),
  /** Version of the counters (a number that rises with every change) at the time of this reply. */
  counters_version: z._default(z.int(), 0),
};

const partyMember = z.extend(drinker, {
  /** `true` if this member has gone home from the running party. */
  is_home: z._default(z.boolean(), false),
});

const partyTap = z.object({
  id: z.int(),
  userId: z.int(),
  userName: z.string(),
  avatarId: z.nullable(z.string()),
  /** Time of the tap in ISO 8601. */
  at: z.string(),
  kind: beerKind,
});

const shownParty = z.extend(party, {
  ...ownPart,
  /** Name of the member who started the party; empty if that member is disabled or not visible. */
  by: z.string(),
  /** `true` if the requesting member may rename, end and delete the party. */
  is_manager: z.boolean(),
  /** `true` if the member who started the party has deleted the account. */
  is_starter_former: z._default(z.boolean(), false),
  /**
   * The ranking: party members who are enabled and visible, including those who have gone home.
   */
  users: z.array(partyMember),
  /**
   * The last taps of the members in `users`, newest first. Empty unless the party is running and
   * the requesting member takes part in it.
   */
  taps: z._default(z.array(partyTap), []),
  /** Number of party members missing in `users`; their beers count in `total`. */
  others: z.int(),
  /** The guests of a running party; empty for a finished one. */
  guests: z._default(z.array(partyGuest), []),
  guest_count: z._default(z.int(), 0),
  /** `true` if guests can join by QR code. */
  is_open_to_guests: z._default(z.boolean(), false),
  /** The open requests of guests; empty unless the requesting member may answer them. */
  asking_guests: z._default(z.array(askingGuest), []),
  /**
   * The summary of a finished party; `null` while the party is running, and if the party had no
   * beers.
   */
  recap: z._default(z.nullable(partyRecap), null),
  /** Photos of the table, oldest first; empty unless the requesting member is or was at the party. */
  photos: z._default(z.array(partyPhoto), []),
  /** `false` if photos are switched off: then members can put up no more. */
  is_photo_on: z._default(z.boolean(), false),
  /** `true` if the requesting member may put up a photo: until a day after the end. */
  can_add_photo: z._default(z.boolean(), false),
  /** `true` for some minutes after the call for a photo. */
  is_photo_time: z._default(z.boolean(), false),
  /**
   * Beers per hour from the first to the last beer; `at` is the start of the hour. Only for pages
   * of an earlier version, which do not know `recap`.
   */
  hours: z.array(z.object({ at: z.string(), total: z.int() })),
  /** Times of the first and last beer; `null` if the party has no beers. */
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

/** A running party on the counter page. */
const runningParty = z.extend(party, {
  ...ownPart,
  /** Members whose beers count now, sorted by name. Disabled members and those who are not visible are missing. */
  users: z.array(z.object({ id: z.int(), name: z.string(), profile_picture: z.nullable(z.string()) })),
  /** Number of members whose beers count now and who are missing in `users`. */
  others: z.int(),
});
export type RunningParty = z.output<typeof runningParty>;

/**
 * Returns the running parties: first those of the requesting member, then the others, each newest
 * first.
 */
export const getRunningParties = endpoint("GET /api/running-parties", {
  who: "member",
  tokens: ["read"],
  perMinute: 600,
  reply: z.object({
    parties: z.array(runningParty),
    /**
     * Id of the party that ended in the last days and whose story the requesting member, who was
     * there, has not seen; `null` also while the member is at a running party.
     */
    story: z._default(z.nullable(z.int()), null),
    /** The oldest open request of a guest that the requesting member may answer. */
    asking: z._default(z.nullable(z.object({ party: z.int(), name: z.string() })), null),
  }),
});

/** Records that the requesting member has seen the story of a party. Idempotent. */
export const seeStory = endpoint("POST /api/parties/:id/story", {
  who: "member",
  params: partyParams,
  status: 204,
});

/** Starts a party. Its creator joins automatically. */
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

/**
 * Joins or rejoins a party: the member's beers count from now on. `with_earlier`: a first join also
 * counts the member's `earlier` beers. Idempotent.
 */
export const joinParty = endpoint("POST /api/parties/:id/members", {
  who: "member",
  params: partyParams,
  body: z.object({ with_earlier: field("Frühere Biere", z.optional(z.boolean())) }),
  reply: fixedMessage("Du bist dabei!"),
});

/**
 * Ends the requesting member's participation: beers before this time count at the party, later ones
 * do not. Idempotent.
 */
export const goHomeFromParty = endpoint("POST /api/parties/:id/home", {
  who: "member",
  params: partyParams,
  reply: fixedMessage("Komm gut heim!"),
});

/** Removes the requesting member and all of the member's beers from the party. Idempotent. */
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

/** Deletes a party; its beers still count for their members and the group. */
export const deleteParty = endpoint("DELETE /api/parties/:id", {
  who: "member",
  params: partyParams,
  reply: fixedMessage("Party gelöscht."),
});
