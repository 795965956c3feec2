import * as z from "zod/mini";

import { idempotencyKey, tapBody } from "./beercounter.ts";
import { endpoint } from "./endpoint.ts";
import { field } from "./labels.ts";
import { pin } from "./tap-settings.ts";

/** Milliseconds after a tap during which its tablet can undo it. */
export const tabletUndoMs = 10_000;

/** A member, or a guest of a running party. */
const faceId = z.string().check(z.regex(/^(member|guest)-[1-9]\d{0,8}$/));

export const face = z.object({
  id: faceId,
  name: z.string(),
  avatarId: z.nullable(z.string()),
  /** The tablet then asks for the PIN, which only the server knows. */
  has_pin: z.boolean(),
});
export type Face = z.output<typeof face>;

/** The only data that a tablet gets. */
export const tabletScreen = z.object({
  /** Where the tablet is, e.g. "Kühlschrank". */
  name: z.string(),
  group_name: z.string(),
  group_short: z.string(),
  /** Number of all beers of the group. */
  total: z.int(),
  /** Running parties, newest first. */
  parties: z.array(z.object({ id: z.int(), name: z.string(), total: z.int() })),
  /** The drinkers of tonight first, then the others by their beers. */
  faces: z.array(face),
});
export type TabletScreen = z.output<typeof tabletScreen>;

/**
 * Returns the faces; 401 without the token of a tablet in the header `TV-Token`. `version`: a hash of the screen that
 * the tablet already shows.
 */
export const getTablet = endpoint("GET /api/tablet", {
  who: "everyone",
  perMinute: 300,
  query: z.object({ version: z.optional(z.string()) }),
  reply: z.object({
    version: z.string(),
    /** `null` if the tablet already shows this version. */
    screen: z.nullable(tabletScreen),
  }),
});

/** Books one beer. Idempotent by its required `Idempotency-Key`; see `tapHeaders`. */
export const drinkAtTablet = endpoint("POST /api/tablet/faces/:face/beers", {
  who: "everyone",
  perMinute: 300,
  params: z.object({ face: faceId }),
  body: z.extend(tapBody, { pin: field("PIN", z.optional(pin)) }),
  status: 204,
});

/**
 * Undoes a beer of this tablet that was tapped at most ten seconds before the undo, whose age is in `Tap-Age`. A tap
 * request with this key that arrives later is not booked.
 */
export const undoAtTablet = endpoint("DELETE /api/tablet/faces/:face/beers/:key", {
  who: "everyone",
  perMinute: 300,
  params: z.object({ face: faceId, key: idempotencyKey }),
  status: 204,
});
