import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

/** What happens to an account that its member should be able to recognize. */
export const accountEventKinds = [
  "login",
  "passkey-login",
  "password-changed",
  "password-reset",
  "email-changed",
  "passkey-added",
  "passkey-removed",
] as const;
export type AccountEventKind = (typeof accountEventKinds)[number];

/** One of them: when (ISO 8601) and from which browser, e.g. `Firefox auf Android`. */
export const accountEvent = z.object({
  id: z.int(),
  at: z.string(),
  kind: z.enum(accountEventKinds),
  device: z.string(),
});
export type AccountEvent = z.output<typeof accountEvent>;

/** The last 50 of one's own account, the newest first. */
export const getAccountEvents = endpoint("GET /api/user/events", {
  who: "member",
  reply: z.array(accountEvent),
});
