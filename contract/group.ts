import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, readableText } from "./fields.ts";
import { field } from "./labels.ts";

/** The settings of the installation that every page needs before a login. */
export const groupConfig = z.object({
  group_name: z.string(),
  group_short: z.string(),
  /** The time zone of days and weeks. */
  time_zone: z.string(),
  legal_links: z.array(z.object({ label: z.string(), url: z.string() })),
  /** The name that the height calculator thanks if its member is unknown. */
  height_requested_by: z.string(),
  /** `null` until web push is set up. */
  vapid_public_key: z.nullable(z.string()),
  /** `true` if this server can send mail. */
  mail: z.boolean(),
  /** Label of the button for a login with OpenID; missing without a provider. */
  oidc_label: z.optional(z.string()),
  /** Present if members cannot log in with a password or passkey. */
  password_login: z.optional(z.literal("off")),
  /** `null` hosts mean the page's own host. */
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

/** Returns `true` for valid targets of footer links: a web page, a page of this app, or a mail address. */
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

/** The names of the group, and the footer links. */
export const groupSettings = z.object({
  group_name: field("Name der Gruppe", readableText(64)),
  group_short: field("Kürzel", readableText(16)),
  legal_links: field("Links", legalLinks),
});
export type GroupSettings = z.output<typeof groupSettings>;

/** The group settings, and the configured ones, which apply unless an administrator has changed them. */
export const managedGroup = z.object({ ...groupSettings.shape, configured: groupSettings });
export type ManagedGroup = z.output<typeof managedGroup>;

export const getManagedGroup = endpoint("GET /api/admin/group", {
  who: ["admin"],
  reply: managedGroup,
});

/** Changes the group settings. A value equal to the configured one follows the configuration again. */
export const changeGroup = endpoint("POST /api/admin/group", {
  who: ["admin"],
  maxBody: 32_768,
  body: groupSettings,
  reply: fixedMessage("Gespeichert."),
});
