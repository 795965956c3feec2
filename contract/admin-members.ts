import * as z from "zod/mini";

import { endpoint, permissions } from "./endpoint.ts";
import { fixedMessage, message, rowId } from "./fields.ts";
import { field } from "./labels.ts";

const permissionList = z.array(z.enum(permissions));

/** How many links and invitations that somebody made as an administrator are still open, by kind. */
export const accessLinks = z.object({ invitations: z.int(), tv_links: z.int(), reset_links: z.int() });
export type AccessLinks = z.output<typeof accessLinks>;

/** A member as the Verwaltung sees him or her. Times in ISO 8601. */
export const managedMember = z.object({
  id: z.int(),
  uname: z.string(),
  name: z.string(),
  email: z.string(),
  permissions: permissionList,
  disabled: z.boolean(),
  beers: z.int(),
  created_at: z.string(),
  /** Null: has never logged in. */
  last_seen_at: z.nullable(z.string()),
  avatarId: z.nullable(z.string()),
  /** By which invitation; `by` null: made on the command line. Null where it is not known. */
  invitation: z.nullable(z.object({ id: z.int(), by: z.nullable(z.string()) })),
  /** They end with the account, its lock, and the loss of `admin`. */
  access_links: accessLinks,
});
export type ManagedMember = z.output<typeof managedMember>;

/** Everybody, in the order in which they came. */
export const getManagedMembers = endpoint("GET /api/admin/members", {
  who: ["admin"],
  reply: z.array(managedMember),
});

/** Replaces a member's permissions; 422 where nobody could administer any more, 423 without a recent password. */
export const setPermissions = endpoint("POST /api/admin/members/:id/permissions", {
  who: ["admin"],
  needsRecentPassword: true,
  perMinute: 60,
  params: z.object({ id: rowId }),
  body: z.object({ permissions: field("Berechtigungen", permissionList) }),
  reply: fixedMessage("Berechtigungen gespeichert."),
});

/** Locks a member out, or lets him or her in again: not oneself, not the last administrator; 423 without a recent password. */
export const setDisabled = endpoint("POST /api/admin/members/:id/disabled", {
  who: ["admin"],
  needsRecentPassword: true,
  perMinute: 60,
  params: z.object({ id: rowId }),
  body: z.object({ disabled: field("Sperre", z.boolean()) }),
  reply: message,
});

/** Makes a link for a new password, good once and until `expires_at`, and shown only now. 423 without a recent password. */
export const makeResetLink = endpoint("POST /api/admin/members/:id/reset-link", {
  who: ["admin"],
  needsRecentPassword: true,
  params: z.object({ id: rowId }),
  reply: z.object({ url: z.string(), expires_at: z.string() }),
  status: 201,
});
