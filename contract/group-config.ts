import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

/** Minimum number of characters of a new password, unless the host sets another one. */
export const defaultPasswordLength = 8;

/** The settings of the group and the server that every page needs, even before a login. */
export const groupConfig = z.object({
  group_name: z.string(),
  group_short: z.string(),
  /** IANA name of the time zone in which days and weeks begin, e.g. `Europe/Berlin`. */
  time_zone: z.string(),
  legal_links: z.array(z.object({ label: z.string(), url: z.string() })),
  /**
   * The height calculator thanks the member who requested it. This name replaces the member's name
   * for guests, and if the member's account is unknown.
   */
  height_requested_by: z.string(),
  /** The server's public key for web push; `null` if web push is not configured. */
  vapid_public_key: z.nullable(z.string()),
  /** Minimum number of characters of a new password; missing if it is `defaultPasswordLength`. */
  password_min_length: z.optional(z.int()),
  /** `true` if this server can send mail. */
  mail: z.boolean(),
  /** Label of the button for a login with OpenID; missing without a provider. */
  oidc_label: z.optional(z.string()),
  /** Present if members cannot log in with a password or passkey. */
  password_login: z.optional(z.literal("off")),
  /**
   * Connection settings of the realtime client, named as in pusher-js. If `wsHost` is `null`, pages
   * connect to their own host.
   */
  realtime: z.object({
    key: z.string(),
    cluster: z.string(),
    wsHost: z.nullable(z.string()),
    wsPort: z.nullable(z.int()),
    wssPort: z.nullable(z.int()),
    forceTLS: z.boolean(),
  }),
});
export type GroupConfig = z.output<typeof groupConfig>;

export const getGroupConfig = endpoint("GET /api/config", {
  who: "everyone",
  reply: groupConfig,
});
