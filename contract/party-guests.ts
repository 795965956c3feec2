import * as z from "zod/mini";

import { idempotencyKey } from "./beercounter.ts";
import { endpoint } from "./endpoint.ts";
import { fixedMessage, readableText, rowId } from "./fields.ts";
import { field } from "./labels.ts";

/** Maximum length of a guest's first name, and maximum number of guests per party. */
export const guestLimits = { name: 20, count: 30 } as const;

/** A guest of a running party, as the requesting member sees it. */
export const partyGuest = z.object({
  id: z.int(),
  name: z.string(),
  /** The name of the member who added the guest; `null` if that member is disabled or paused. */
  by: z.nullable(z.string()),
  total: z.int(),
  /** `true` if the member added the guest, or stands in for a disabled member who did. */
  can_count: z.boolean(),
  can_remove: z.boolean(),
  /** Keys of beers that the member may still undo, newest last. */
  undo_keys: z.array(z.string()),
});
export type PartyGuest = z.output<typeof partyGuest>;

const guestParams = z.object({ guest: rowId });
const guestTotal = z.object({ total: z.int() });

/** Adds a guest to a running party that the member attends. */
export const addGuest = endpoint("POST /api/parties/:id/guests", {
  who: "member",
  perDay: 200,
  params: z.object({ id: rowId }),
  body: z.object({
    name: field("Vorname", readableText(guestLimits.name)),
    /** The guest's consent to being listed. */
    has_agreed: field("Einverständnis", z.literal(true, "agreementMissing")),
  }),
  reply: z.object({ id: z.int() }),
  status: 201,
});

/** Removes a guest with all beers. Allowed for the member who added the guest, and for managers of the party. */
export const removeGuest = endpoint("DELETE /api/party-guests/:guest", {
  who: "member",
  params: guestParams,
  reply: fixedMessage("Gast entfernt."),
});

/** Books one beer of a guest. Idempotent by its `Idempotency-Key`, which is required; see `tapHeaders`. */
export const drinkGuestBeer = endpoint("POST /api/party-guests/:guest/beers", {
  who: "member",
  perMinute: 600,
  perDay: 2000,
  params: guestParams,
  reply: guestTotal,
});

/** Undoes a guest's beer by the key of its tap. If that tap arrives later, it does not count. */
export const undoGuestBeer = endpoint("DELETE /api/party-guests/:guest/beers/:key", {
  who: "member",
  perMinute: 600,
  perDay: 2000,
  params: z.extend(guestParams, { key: idempotencyKey }),
  reply: guestTotal,
});
