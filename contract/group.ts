import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, readableText } from "./fields.ts";
import { field } from "./labels.ts";

/** The settings of the group and the server that every page needs, even before a login. */
export const groupConfig = z.object({
  group_name: z.string(),
  group_short: z.string(),
  /** IANA name of the time zone in which days and weeks begin, e.g. `Europe/Berlin`. */
  time_zone: z.string(),
  legal_links: z.array(z.object({ label: z.string(), url: z.string() })),
  /**
   * The name that the height calculator thanks in place of its requester, for guests and if the
   * requester's account is unknown.
   */
  height_requested_by: z.string(),
  /** The server's public key for web push; `null` if web push is not configured. */
  vapid_public_key: z.nullable(z.string()),
  /** `true` if this server can send mail. */
  mail: z.boolean(),
  /** Label of the button for a login with OpenID; missing without a provider. */
  oidc_label: z.optional(z.string()),
  /** Present if members cannot log in with a password or passkey. */
  password_login: z.optional(z.literal("off")),
  /** Connection settings for pusher-js. `wsHost: null`: the host of the page. */
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

/**
 * Returns `true` for valid targets of footer links: web pages, pages of this app and mail
 * addresses.
 */
function isLinkTarget(target: string): boolean {
  if (target.length > 2048 || /[\s\p{Cc}\p{Cf}]/u.test(target)) return false;
  if (/^\/(?![/\\])/.test(target)) return true;
  return /^(https?:\/\/[^/]|mailto:[^@]+@)/i.test(target) && URL.canParse(target);
}

const legalLinks = z
  .array(
    z.strictObject({ label: readableText(64), url: z.string().check(z.trim(), z.refine(isLinkTarget, "invalid")) }),
  )
  .check(z.maxLength(10, "invalid"));

/** The name and abbreviation of the group, and the footer links. */
export const groupSettings = z.object({
  group_name: field("Name der Gruppe", readableText(64)),
  group_short: field("Kürzel", readableText(16)),
  legal_links: field("Links", legalLinks),
});
export type GroupSettings = z.output<typeof groupSettings>;

/**
 * The group settings in use. `configured`: values from the configuration, which apply until an
 * administrator changes them.
 */
export const managedGroup = z.object({ ...groupSettings.shape, configured: groupSettings });
export type ManagedGroup = z.output<typeof managedGroup>;

export const getManagedGroup = endpoint("GET /api/admin/group", {
  who: ["admin"],
  reply: managedGroup,
});

/**
 * Changes the group settings. A value equal to the configured one is not stored and follows later
 * changes of the configuration.
 */
export const changeGroup = endpoint("POST /api/admin/group", {
  who: ["admin"],
  maxBody: 32_768,
  body: groupSettings,
  reply: fixedMessage("Gespeichert."),
});
