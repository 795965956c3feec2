import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, readableText } from "./fields.ts";
import { field } from "./labels.ts";

/** Where a link of the footer may lead: a page anywhere, a page of ours, or a mail. */
function isLinkTarget(target: string): boolean {
  if (target.length > 2048 || /[\s\p{Cc}\p{Cf}]/u.test(target)) return false;
  if (/^\/(?![/\\])/.test(target)) return true;
  return /^(https?:\/\/[^/]|mailto:[^@]+@)/i.test(target) && URL.canParse(target);
}

const legalLinks = z
  .array(z.strictObject({ label: readableText(64), url: z.string().check(z.trim(), z.refine(isLinkTarget, "V-in")) }))
  .check(z.maxLength(10, "V-in"));

/** What the group calls itself, and the links that stand below every page. */
export const groupSettings = z.object({
  group_name: field("Name der Gruppe", readableText(64)),
  group_short: field("Kürzel", readableText(16)),
  legal_links: field("Links", legalLinks),
});
export type GroupSettings = z.output<typeof groupSettings>;

/** The group settings, and those of the configuration, which apply where an administrator changed nothing. */
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
