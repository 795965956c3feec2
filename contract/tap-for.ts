import * as z from "zod/mini";

import { idempotencyKey, tapBody } from "./beercounter.ts";
import { endpoint } from "./endpoint.ts";
import { rowId } from "./fields.ts";
import { listedMember } from "./members.ts";

/** Returns the members for whom the requesting member may book a beer: those of tonight first. */
export const getTappableMembers = endpoint("GET /api/members/tappable", {
  who: "member",
  reply: z.object({ members: z.array(listedMember) }),
});

/** Books one beer for another member. Idempotent by its required `Idempotency-Key`; see `tapHeaders`. */
export const drinkFor = endpoint("POST /api/members/:id/beers", {
  who: "member",
  perMinute: 60,
  perDay: 300,
  isRateDivided: true,
  params: z.object({ id: rowId }),
  body: tapBody,
  status: 204,
});

/**
 * Undoes a beer that the requesting member has booked for this member, at most 15 minutes later. A tap request with
 * this key that arrives later is not booked.
 */
export const undoFor = endpoint("DELETE /api/members/:id/beers/:key", {
  who: "member",
  perMinute: 60,
  perDay: 300,
  isRateDivided: true,
  params: z.object({ id: rowId, key: idempotencyKey }),
  status: 204,
});
