import * as z from "zod/mini";

import { idempotencyKey } from "./beercounter.ts";
import { endpoint } from "./endpoint.ts";
import { fixedMessage, readableText, rowId } from "./fields.ts";
import { field } from "./labels.ts";

/**
 * Maximum length of a party guest's first name, number of guests per party, and beers per guest,
 * including undone ones.
 */
export const guestLimits = { name: 20, count: 30, beers: 200 } as const;

/**
 * A guest of a running party. Guests have no account; the member who added a guest counts the
 * guest's beers, and so does a guest who joined by QR code.
 */
export const partyGuest = z.object({
  id: z.int(),
  name: z.string(),
  /** Name of the member who added the guest; `null` if that member is disabled or hidden. */
  by: z.nullable(z.string()),
  total: z.int(),
  /**
   * `true` if the requesting member may count the guest's beers: the member who added the guest or,
   * if that member is disabled, a manager of the party.
   */
  can_count: z.boolean(),
  can_remove: z.boolean(),
  /** `true` if the guest joined by QR code and counts, too. The party's starter then is who added the guest. */
  is_by_qr: z._default(z.boolean(), false),
  /** Tap keys of the guest's beers that the requesting member may still undo, newest last. */
  undo_keys: z.array(z.string()),
});
export type PartyGuest = z.output<typeof partyGuest>;

/** A guest of a finished party who asks to become a member. */
export const askingGuest = z.object({ id: z.int(), name: z.string(), total: z.int() });
export type AskingGuest = z.output<typeof askingGuest>;

const guestParams = z.object({ guest: rowId });
const guestTotal = z.object({ total: z.int() });

export const guestFields = {
  name: field("Vorname", readableText(guestLimits.name)),
  /** The guest's consent to being listed with the first name. */
  has_agreed: field("Einverständnis", z.literal(true, "agreementMissing")),
};

/** Adds a guest to a running party that the requesting member attends. */
export const addGuest = endpoint("POST /api/parties/:id/guests", {
  who: "member",
  perDay: 200,
  params: z.object({ id: rowId }),
  body: z.object(guestFields),
  reply: z.object({ id: z.int() }),
  status: 201,
});

/**
 * Removes a guest and all beers of the guest. Permitted for the member who added the guest, the
 * party's creator and administrators.
 */
export const removeGuest = endpoint("DELETE /api/party-guests/:guest", {
  who: "member",
  params: guestParams,
  reply: fixedMessage("Gast entfernt."),
});

/** Books one beer of a guest. Idempotent by its required `Idempotency-Key`; see `tapHeaders`. */
export const drinkGuestBeer = endpoint("POST /api/party-guests/:guest/beers", {
  who: "member",
  perMinute: 600,
  perDay: 2000,
  isRateDivided: true,
  params: guestParams,
  reply: guestTotal,
});

/**
 * Undoes the guest's beer that was booked with this tap key. A tap request with this key that
 * arrives later is not booked.
 */
export const undoGuestBeer = endpoint("DELETE /api/party-guests/:guest/beers/:key", {
  who: "member",
  perMinute: 600,
  perDay: 2000,
  isRateDivided: true,
  params: z.extend(guestParams, { key: idempotencyKey }),
  reply: guestTotal,
});
