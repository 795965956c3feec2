import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

/** Events of an account that its member should recognise. */
export const accountEventKinds = [
  "login",
  "passkey-login",
  "oidc-login",
  "password-changed",
  "password-reset",
  "email-changed",
  "passkey-added",
  "passkey-removed",
  "oidc-linked",
  "oidc-unlinked",
  "token-added",
  "token-revoked",
] as const;
export type AccountEventKind = (typeof accountEventKinds)[number];

/** An event with its time (ISO 8601) and browser, e.g. `Firefox auf Android`. */
export const accountEvent = z.object({
  id: z.int(),
  at: z.string(),
  kind: z.enum(accountEventKinds),
  device: z.string(),
});
export type AccountEvent = z.output<typeof accountEvent>;

/** The last 50 events of the own account, newest first. */
export const getAccountEvents = endpoint("GET /api/user/events", {
  who: "member",
  reply: z.array(accountEvent),
});
