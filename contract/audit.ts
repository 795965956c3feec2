import * as z from "zod/mini";

import { endpoint, type Permission } from "./endpoint.ts";
import { rowId } from "./fields.ts";
import { listedMember } from "./members.ts";

/**
 * Audited actions: those of administrators, and those of members that administrators should know
 * about. Never delete one, because entries of the log have it.
 */
export const auditActions = [
  "permissions-changed",
  "member-disabled",
  "member-enabled",
  "reset-link-made",
  "reset-link-revoked",
  "reset-link-used",
  "account-deleted",
  "name-corrected",
  "picture-removed",
  "beers-taken-back",
  "invitation-made",
  "invitation-used",
  "invitation-revoked",
  "registered-with-oidc",
  "game-server-added",
  "game-server-changed",
  "game-server-enabled",
  "game-servers-ordered",
  "game-server-removed",
  "calendar-imported",
  "calendar-doors-dealt",
  "calendar-doors-redealt",
  "calendar-door-taken-back",
  "calendar-door-taken-over",
  "calendar-picture-hung",
  "calendar-picture-moved",
  "calendar-picture-removed",
  "calendar-picture-restored",
  "calendar-picture-viewed",
  "calendar-surprise-switched",
  "calendar-audio-changed",
  "calendar-audio-removed",
  "group-changed",
  "release-check-switched",
  "party-renamed",
  "party-ended",
  "party-deleted",
  "party-guest-removed",
  "party-guest-answered",
  "party-guest-link-switched",
  "party-photos-switched",
  "tv-link-made",
  "tv-link-revoked",
  "tv-paired",
  "tablet-paired",
  "tablet-revoked",
  "beers-imported",
  "beers-recounted",
  "webhook-created",
  "webhook-changed",
  "webhook-paused",
  "webhook-resumed",
  "webhook-deleted",
  "secret-rotated",
  "backup-downloaded",
] as const;
export type AuditAction = (typeof auditActions)[number];

type Named = { readonly name: string };
/**
 * Actions on a party store its id instead of its name, because an administrator may have acted to
 * remove an offensive name.
 */
type OfParty = { readonly party: number };

/**
 * Details of an action besides actor, affected member and time. Never contains a token or password.
 */
interface SpecificDetails {
  "permissions-changed": { given: readonly Permission[]; taken: readonly Permission[] };
  "beers-taken-back": { count: number };
  "invitation-made": { invitation: number; permissions: readonly Permission[]; days: number; uses: number };
  "invitation-used": { invitation: number };
  "invitation-revoked": { invitation: number };
  "game-server-added": Named;
  "game-server-changed": Named;
  "game-server-enabled": Named;
  "game-server-removed": Named;
  "calendar-imported": { year: number };
  /**
   * `seed`: the random value that determines the lottery's result. Missing in audit entries of
   * earlier app versions.
   */
  "calendar-doors-dealt": { year: number; doors: number; seed?: string };
  "calendar-doors-redealt": { year: number; doors: number; seed: string };
  "calendar-door-taken-back": { date: string };
  "calendar-door-taken-over": { date: string };
  "calendar-picture-hung": { date: string };
  "calendar-picture-moved": { date: string; to: string };
  "calendar-picture-removed": { date: string };
  "calendar-picture-restored": { date: string };
  "calendar-picture-viewed": { date: string };
  "calendar-surprise-switched": { isOn: boolean };
  "group-changed": { fields: readonly ("group_name" | "group_short" | "legal_links")[] };
  "release-check-switched": { isOn: boolean };
  "party-renamed": OfParty;
  "party-ended": OfParty;
  "party-photos-switched": OfParty;
  "party-deleted": OfParty;
  "party-guest-removed": OfParty;
  "party-guest-answered": OfParty;
  "party-guest-link-switched": OfParty;
  "tv-link-made": Named;
  "tv-link-revoked": Named;
  "tv-paired": Named;
  "tablet-paired": Named;
  "tablet-revoked": Named;
  "beers-imported": { imported: number };
  "webhook-created": Named & { host: string };
  "webhook-changed": Named;
  "webhook-paused": Named;
  "webhook-resumed": Named;
  "webhook-deleted": Named;
  "secret-rotated": { secret: "appKey" | "realtimeSecret" | "vapid" };
  "backup-downloaded": { withSecrets: boolean };
}

export type AuditDetails = {
  readonly [Action in AuditAction]: Action extends keyof SpecificDetails
    ? SpecificDetails[Action]
    : Readonly<Record<string, never>>;
};

export const auditEntry = z.object({
  id: z.int(),
  /** Time of the action in ISO 8601. */
  at: z.string(),
  /**
   * The member who acted; a deleted account has the name `Ehemaliges Mitglied`. `null` with `via:
   * "command"`: the operator; `null` with `via: "page"`: an unknown member.
   */
  actor: z.nullable(listedMember),
  via: z.enum(["page", "command"]),
  action: z.enum(auditActions),
  /** A German sentence that describes the action. */
  text: z.string(),
  /** The member affected by the action; `null` if no member is affected. */
  member: z.nullable(listedMember),
});
export type AuditEntry = z.output<typeof auditEntry>;

/**
 * Returns the audit log, newest first. `before`: the id of the last audit entry of the previous
 * page.
 */
export const getAudit = endpoint("GET /api/admin/audit", {
  who: ["admin"],
  query: z.object({ before: z.optional(rowId) }),
  reply: z.object({ entries: z.array(auditEntry), has_more: z.boolean() }),
});
