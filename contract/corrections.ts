import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, message, rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { memberName } from "./member-fields.ts";

// Administrators correct data of other members with these endpoints. All calls are audited.

/** Corrects the displayed name of a member. */
export const correctName = endpoint("POST /api/admin/members/:id/name", {
  who: ["admin"],
  params: z.object({ id: rowId }),
  body: z.object({ name: memberName }),
  reply: fixedMessage("Name berichtigt."),
});

/** Deletes a member's profile picture; 404 if the member has no picture. */
export const removePicture = endpoint("DELETE /api/admin/members/:id/avatar", {
  who: ["admin"],
  params: z.object({ id: rowId }),
  reply: fixedMessage("Profilbild entfernt."),
});

/** Maximum number of beers that one request may remove. */
export const maxBeersTakenBack = 100;

/**
 * Returns a member's beers of the last seven days, newest first, at most 100. `at`: time of the tap
 * in ISO 8601.
 */
export const getMemberBeers = endpoint("GET /api/admin/members/:id/beers", {
  who: ["admin"],
  params: z.object({ id: rowId }),
  reply: z.array(z.object({ id: z.int(), at: z.string() })),
});

/**
 * Removes a member's beers that were booked by mistake. Skips beers that are already removed; 404
 * if none of the beers can be removed.
 */
export const takeBackBeers = endpoint("POST /api/admin/members/:id/beers/take-back", {
  who: ["admin"],
  needsRecentPassword: true,
  maxBody: 4096,
  params: z.object({ id: rowId }),
  body: z.object({
    ids: field("Biere", z.array(z.int().check(z.positive())).check(z.minLength(1), z.maxLength(maxBeersTakenBack))),
  }),
  reply: message,
});
