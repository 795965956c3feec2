import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, numberBetween, rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { listedMember, permissionList } from "./members.ts";

/** Validity of an invitation in days. */
export const invitationDays = { usual: 7, min: 1, max: 30 } as const;
export const invitationUses = { usual: 1, min: 1, max: 1000 } as const;

/** An invitation for more members than this requires a recent password. */
export const maxUsesWithoutPassword = 20;

/** `open`: usable for a registration. The other states say why the invitation is unusable. */
export const invitationState = z.enum(["open", "used", "expired", "revoked"]);

/**
 * An invitation without its token, which is only in the reply to its creation. Times in ISO 8601.
 */
export const invitation = z.object({
  id: z.int(),
  permissions: permissionList,
  /**
   * Name of the member who created the invitation, `Ehemaliges Mitglied` if that account was
   * deleted. `null` if the invitation was created on the command line, or if that member is
   * unknown.
   */
  by: z.nullable(z.string()),
  created_at: z.string(),
  expires_at: z.string(),
  state: invitationState,
  uses_left: z.int(),
  /** The members who registered with this invitation. */
  members: z.array(listedMember),
});
export type Invitation = z.output<typeof invitation>;

/**
 * Returns all invitations, newest first. `before`: the id of the last invitation of the previous
 * page.
 */
export const getInvitations = endpoint("GET /api/admin/invitations", {
  who: ["admin"],
  query: z.object({ before: z.optional(rowId) }),
  reply: z.object({ invitations: z.array(invitation), has_more: z.boolean() }),
});

/**
 * Creates an invitation; only this reply contains its token. 423 without a recent password if the
 * invitation grants permissions or has more than `maxUsesWithoutPassword` uses.
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

/** Revokes an invitation. Members who have registered with it keep their accounts. */
export const revokeInvitation = endpoint("DELETE /api/admin/invitations/:id", {
  who: ["admin"],
  perMinute: 60,
  params: z.object({ id: rowId }),
  reply: fixedMessage("Einladung zurückgezogen."),
});
