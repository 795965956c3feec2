import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, readableText } from "./fields.ts";
import { field } from "./labels.ts";

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
