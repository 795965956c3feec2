import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { currentPassword, fixedMessage } from "./fields.ts";
import { field } from "./labels.ts";

/** All data stored about the member, as one JSON document. */
export const exportAccount = endpoint("GET /api/user/export", {
  who: "member",
  perMinute: 10,
  media: "application/json; charset=utf-8",
});

/** The member's own beers as a table for spreadsheets. */
export const exportBeers = endpoint("GET /api/user/export/beers", {
  who: "member",
  perMinute: 10,
  media: "text/csv; charset=utf-8",
});

/** The fate of a leaving member's beers: kept in the group's counts, or removed from all of them. */
export const beersOnDeletion = ["keep", "remove"] as const;
export type BeersOnDeletion = (typeof beersOnDeletion)[number];

/**
 * Deletes the own account permanently. Requires the own `uname`, against mistakes. Without a password: 423 unless the password or
 * a passkey was used within the last minute.
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
