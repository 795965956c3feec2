import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, numberBetween, rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { permissionList } from "./members.ts";

/** Days an invitation is valid, and number of members who can register with it. */
export const invitationDays = { usual: 7, min: 1, max: 30 } as const;
export const invitationUses = { usual: 1, min: 1, max: 1000 } as const;

/** Number of uses above which an invitation requires a recent password. */
export const maxUsesWithoutPassword = 20;

/** `open` can be used; the others are the reason why not. */
export const invitationState = z.enum(["open", "used", "expired", "revoked"]);

/** An invitation without its token, which only the reply to its creation contains. Times in ISO 8601. */
export const invitation = z.object({
  id: z.int(),
  permissions: permissionList,
  /** `null`: created on the command line, or by a member who has deleted the account. */
  by: z.nullable(z.string()),
  created_at: z.string(),
  expires_at: z.string(),
  state: invitationState,
  uses_left: z.int(),
  /** The members who registered with it. */
  members: z.array(z.object({ id: z.int(), name: z.string(), avatarId: z.nullable(z.string()) })),
});
export type Invitation = z.output<typeof invitation>;

/** All invitations, newest first, paginated with `?before=` an id. */
export const getInvitations = endpoint("GET /api/admin/invitations", {
  who: ["admin"],
  query: z.object({ before: z.optional(rowId) }),
  reply: z.object({ invitations: z.array(invitation), has_more: z.boolean() }),
});

/**
 * Creates an invitation; only this reply contains the token. 423 without a recent password if it grants permissions or has many
 * uses.
 */
export const makeInvitation = endpoint("POST /api/admin/invitations", {
  who: ["admin"],
  body: z.object({
    permissions: field("Rechte", z._default(permissionList, [])),
    days: field("Gültigkeit in Tagen", z._default(numberBetween(invitationDays), invitationDays.usual)),
    uses: field("Anzahl", z._default(numberBetween(invitationUses), invitationUses.usual)),
  }),
  reply: z.object({ id: z.int(), token: z.string(), url: z.string(), expires_at: z.string() }),
  status: 201,
});

/** Revokes an invitation; members who registered with it keep their accounts. */
export const revokeInvitation = endpoint("DELETE /api/admin/invitations/:id", {
  who: ["admin"],
  perMinute: 60,
  params: z.object({ id: rowId }),
  reply: fixedMessage("Einladung zurückgezogen."),
});
