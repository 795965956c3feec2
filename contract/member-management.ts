import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, message, rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { permissionList } from "./members.ts";

/**
 * Number of valid invitations, TV links and reset links that a member created as an administrator,
 * and of the member's active webhooks.
 */
export const accessLinks = z.object({
  invitations: z.int(),
  tv_links: z.int(),
  reset_links: z.int(),
  webhooks: z.int(),
});
export type AccessLinks = z.output<typeof accessLinks>;

/** A member in the admin area. Times in ISO 8601. */
export const managedMember = z.object({
  id: z.int(),
  uname: z.string(),
  name: z.string(),
  email: z.string(),
  permissions: permissionList,
  disabled: z.boolean(),
  beers: z.int(),
  created_at: z.string(),
  /** `null` before the first login. */
  last_seen_at: z.nullable(z.string()),
  avatarId: z.nullable(z.string()),
  /**
   * The invitation used for the registration; `null` if unknown. `by`: its creator's name, `null`
   * if created on the command line.
   */
  invitation: z.nullable(z.object({ id: z.int(), by: z.nullable(z.string()) })),
  /** Links that end, and webhooks that pause, when this member deletes the account, is disabled or loses `admin`. */
  access_links: accessLinks,
});
export type ManagedMember = z.output<typeof managedMember>;

/** Returns all members, in the order of their registration. */
export const getManagedMembers = endpoint("GET /api/admin/members", {
  who: ["admin"],
  reply: z.array(managedMember),
});

/**
 * Returns the number of the requesting administrator's links and webhooks, which end or pause if the
 * account is deleted.
 */
export const getOwnAccessLinks = endpoint("GET /api/admin/access-links", { who: ["admin"], reply: accessLinks });

/** Replaces a member's permissions; 422 if no administrator would remain. */
export const setPermissions = endpoint("POST /api/admin/members/:id/permissions", {
  who: ["admin"],
  needsRecentPassword: true,
  perMinute: 60,
  params: z.object({ id: rowId }),
  body: z.object({ permissions: field("Rechte", permissionList) }),
  reply: fixedMessage("Rechte gespeichert."),
});

/**
 * Disables or enables an account; 422 for the requesting administrator's account, and for the only
 * administrator's.
 */
export const setDisabled = endpoint("POST /api/admin/members/:id/disabled", {
  who: ["admin"],
  needsRecentPassword: true,
  perMinute: 60,
  params: z.object({ id: rowId }),
  body: z.object({ disabled: field("Sperre", z.boolean()) }),
  reply: message,
});

/**
 * Creates a link with which the member can set a new password once, until `expires_at`. Only this
 * reply contains the link.
 */
export const makeResetLink = endpoint("POST /api/admin/members/:id/reset-link", {
  who: ["admin"],
  needsRecentPassword: true,
  params: z.object({ id: rowId }),
  reply: z.object({ url: z.string(), expires_at: z.string() }),
  status: 201,
});
