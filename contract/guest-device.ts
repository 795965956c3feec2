import * as z from "zod/mini";

import { idempotencyKey } from "./beercounter.ts";
import { endpoint } from "./endpoint.ts";
import { event, userChannelPrefix } from "./event.ts";
import { fixedMessage, numberBetween, rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { guestFields } from "./party-guests.ts";

/**
 * Request header with a guest token: 256 random bits in upper-case hex, made by the device, so that
 * a repeated join is the same guest. It reaches one guest of one party and nothing else. The
 * starter's yes makes it the token of an invitation.
 */
export const guestTokenHeader = "Guest-Token";

export const guestToken = z.string().check(z.regex(/^[0-9A-F]{64}$/));

/** Days after the end of the party during which a guest may ask to become a member. */
export const guestTokenDays = 14;

const guestLink = {
  party: field("Party", numberBetween({ min: 1, max: 999_999_999 })),
  secret: field("Link", z.string().check(z.maxLength(64))),
};

/** Returns what a party's QR code invites to; `null` if it is not valid now. Changes nothing. */
export const getGuestInvitation = endpoint("POST /api/guest/invitation", {
  who: "everyone",
  perMinute: 120,
  body: z.object(guestLink),
  reply: z.object({
    party: z.nullable(
      z.object({
        name: z.string(),
        /** Name of the member who started the party; `null` if that member is not named to guests. */
        by: z.nullable(z.string()),
      }),
    ),
  }),
});

/** Adds the device as a guest of the party. Idempotent by the guest token. */
export const joinAsGuest = endpoint("POST /api/guest", {
  who: "everyone",
  rate: { per: "network", limit: 60, seconds: 600 },
  body: z.object({ ...guestLink, ...guestFields }),
  status: 204,
});

/** The state of a guest's request to become a member; `null` before it. */
export const guestRequest = z.nullable(z.enum(["open", "accepted", "declined"]));

/** All that a guest token shows of the group. */
export const guestScreen = z.object({
  party: z.object({
    name: z.string(),
    is_running: z.boolean(),
    total: z.int(),
    guest_total: z.int(),
    /** Names of the visible members whose beers count now; empty after the party. */
    members: z.array(z.string()),
  }),
  /** `null` after the party. */
  name: z.nullable(z.string()),
  total: z.int(),
  /** Tap keys of the beers that the guest may still undo, newest last. */
  undo_keys: z.array(z.string()),
  request: guestRequest,
});
export type GuestScreen = z.output<typeof guestScreen>;

/** All calls with a guest token that is unknown or has ended are refused with `guestGone`. */
export const getGuestScreen = endpoint("GET /api/guest", {
  who: "everyone",
  // Thirty guests behind one address poll every ten seconds, and after each tap.
  perMinute: 600,
  reply: guestScreen,
});

const guestTotal = z.object({ total: z.int() });

/** Books one beer of the guest. Idempotent by its required `Idempotency-Key`; see `tapHeaders`. */
export const drinkAsGuest = endpoint("POST /api/guest/beers", {
  who: "everyone",
  perMinute: 300,
  reply: guestTotal,
});

/**
 * Undoes the guest's beer that was booked with this tap key. A tap request with this key that
 * arrives later is not booked.
 */
export const undoAsGuest = endpoint("DELETE /api/guest/beers/:key", {
  who: "everyone",
  perMinute: 300,
  params: z.object({ key: idempotencyKey }),
  reply: guestTotal,
});

/** Removes the guest and the guest's beers from the running party. */
export const leaveAsGuest = endpoint("DELETE /api/guest", {
  who: "everyone",
  reply: fixedMessage("Du bist nicht mehr dabei."),
});

/** After the party: asks its starter to make the guest a member. Idempotent. */
export const askForMembership = endpoint("POST /api/guest/request", {
  who: "everyone",
  body: z.object({ name: guestFields.name }),
  status: 204,
});

const partyParams = z.object({ id: rowId });

/**
 * Returns the secret of the party's QR code; `null` if guests cannot join with it, or the
 * requesting member is not at the party.
 */
export const getGuestLink = endpoint("POST /api/parties/:id/guest-link", {
  who: "member",
  perMinute: 120,
  params: partyParams,
  reply: z.object({ secret: z.nullable(z.string()) }),
});

/** Switches joining by QR code on, with a new secret, or off. Guests who have joined stay. */
export const switchGuestLink = endpoint("POST /api/parties/:id/guest-access", {
  who: "member",
  params: partyParams,
  body: z.object({ is_open: field("Gäste per QR-Code", z.boolean()) }),
  reply: fixedMessage("Gespeichert."),
});

/**
 * Answers a guest's request. A yes makes the guest token an invitation for one member, to whom the
 * registration gives the guest's beers.
 */
export const answerGuest = endpoint("POST /api/party-guests/:guest/answer", {
  who: "member",
  params: z.object({ guest: rowId }),
  body: z.object({ is_accepted: field("Antwort", z.boolean()) }),
  reply: fixedMessage("Antwort gespeichert."),
});

/** A guest asks the starter of a party to become a member. */
export const guestAsked = event({
  channel: userChannelPrefix,
  name: "guest-asked",
  data: z.object({ party: z.int(), name: z.string() }),
});
