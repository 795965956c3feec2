import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { currentPassword, fixedMessage } from "./fields.ts";
import { field } from "./labels.ts";

/** Returns the data stored about the requesting member as one JSON document. */
export const exportAccount = endpoint("GET /api/user/export", {
  who: "member",
  perMinute: 10,
  media: "application/json; charset=utf-8",
});

/** Returns the requesting member's beers as CSV. */
export const exportBeers = endpoint("GET /api/user/export/beers", {
  who: "member",
  perMinute: 10,
  media: "text/csv; charset=utf-8",
});

/**
 * `keep`: the beers of a deleted account still count for the group; `remove`: they are deleted from
 * all counts.
 */
export const beersOnDeletion = ["keep", "remove"] as const;
export type BeersOnDeletion = (typeof beersOnDeletion)[number];

/**
 * Deletes the requesting member's account permanently; the body repeats the `uname` to prevent
 * mistakes. Without `password`: 423 unless the member entered a password or used a passkey or the
 * OpenID provider in this session within the last minute.
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
