import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { currentPassword, fixedMessage } from "./fields.ts";
import { field } from "./labels.ts";

/** Everything that is stored about oneself, as one JSON document to keep. */
export const exportAccount = endpoint("GET /api/user/export", {
  who: "member",
  perMinute: 10,
  media: "application/json; charset=utf-8",
});

/** One's own beers as a table for a spreadsheet. */
export const exportBeers = endpoint("GET /api/user/export/beers", {
  who: "member",
  perMinute: 10,
  media: "text/csv; charset=utf-8",
});

/** What becomes of a leaving member's beers: they stay in the group's counts, or go from every one of them. */
export const beersOnDeletion = ["keep", "remove"] as const;
export type BeersOnDeletion = (typeof beersOnDeletion)[number];

/**
 * Deletes one's own account permanently. The own `uname` has to be typed, so that it does not happen by mistake. Without a password:
 * 423 unless it was entered, or a passkey used, within the last minute.
 */
export const deleteAccount = endpoint("POST /api/user/delete", {
  who: "member",
  perMinute: 5,
  maxBody: 2048,
  body: z.object({
    uname: field("Benutzername", z.string().check(z.minLength(1))),
    password: field("Passwort", z.optional(currentPassword)),
    beers: field("Biere", z.enum(beersOnDeletion)),
  }),
  reply: fixedMessage("Dein Account ist gelöscht. Mach's gut!"),
});
