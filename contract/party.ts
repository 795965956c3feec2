import * as z from "zod/mini";

import { drinker } from "./beercounter.ts";
import { endpoint } from "./endpoint.ts";
import { fixedMessage, readableText, rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { partyGuest } from "./party-guests.ts";
import { partyRecap } from "./party-recap.ts";

/** The longest name of a party, how long it lasts unless somebody ends it earlier (ms), and how many run at once at most. */
export const partyLimits = { name: 60, length: 12 * 60 * 60_000, running: 5 } as const;

const partyParams = z.object({ id: rowId });
const partyBody = z.object({ name: field("Name", readableText(partyLimits.name)) });

/** A named evening. The beers that its members drink from its start to its end belong to it. Times in ISO 8601. */
const party = z.object({
  id: z.int(),
  name: z.string(),
  starts_at: z.string(),
  /** Of a running one: when it ends by itself. */
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

const shownParty = z.extend(party, {
  /** The name of the member who started it; empty if that member is disabled or paused. */
  by: z.string(),
  is_member: z.boolean(),
  /** Whether the member may rename, end and delete it. */
  is_manager: z.boolean(),
  /** `true` if the member who started it has deleted the account. */
  is_starter_former: z._default(z.boolean(), false),
  own_total: z.int(),
  /** The ranking: its members who are enabled and not paused. */
  users: z.array(drinker),
  /** How many others are there; their beers are in the total, too. */
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

/** Who starts a party is there. */
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

/** Brings the beers since the start along. Twice is the same as once. */
export const joinParty = endpoint("POST /api/parties/:id/members", {
  who: "member",
  params: partyParams,
  reply: fixedMessage("Du bist dabei!"),
});

/** Takes the beers along. */
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
