import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

/**
 * Kinds of security-relevant account events. Members see their own events, so that they notice
 * logins and changes by strangers.
 */
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

/**
 * A security-relevant event of an account. `at`: time in ISO 8601; `device`: browser and system,
 * e.g. `Firefox auf Android`.
 */
export const accountEvent = z.object({
  id: z.int(),
  at: z.string(),
  kind: z.enum(accountEventKinds),
  device: z.string(),
});

/** Returns the last 50 account events of the requesting member, newest first. */
export const getAccountEvents = endpoint("GET /api/user/events", {
  who: "member",
  reply: z.array(accountEvent),
});
