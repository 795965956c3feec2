import type { ExpressionBuilder, Insertable } from "kysely";

import type { Permission } from "#contract/endpoint.ts";
import { shownWith } from "#contract/visibility.ts";
import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";
import * as memberStore from "#server/features/members/store.ts";

/** Stored as JSON, because the permissions are only read together with their invitation. */
function parseStored(permissions: string): Permission[] {
  return JSON.parse(permissions) as Permission[];
}

interface NewInvitation extends Omit<Insertable<Tables["invitations"]>, "id" | "permissions" | "revoked_at"> {
  permissions: readonly Permission[];
}

export async function insertInvitation(db: Db, { permissions, ...invitation }: NewInvitation): Promise<number> {
  const { id } = await db
    .insertInto("invitations")
    .values({ ...invitation, permissions: JSON.stringify(permissions), revoked_at: null })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns `undefined` if the invitation is unknown, used up, revoked or expired. */
export async function claimInvitation(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<{ id: number; permissions: Permission[] } | undefined> {
  const row = await db
    .updateTable("invitations")
    .set(({ eb }) => ({ uses_left: eb("uses_left", "-", 1) }))
    .where("token_hash", "=", tokenHash)
    .where((builder) => isOpen(builder, now))
    .returning(["id", "permissions"])
    .executeTakeFirst();
  return row && { id: row.id, permissions: parseStored(row.permissions) };
}

/** Returns `false` if the invitation is unknown, used up or revoked. */
export async function extendInvitation(db: Db, tokenHash: string, expiresAt: number): Promise<boolean> {
  return exists(
    db
      .updateTable("invitations")
      .set({ expires_at: expiresAt })
      .where("token_hash", "=", tokenHash)
      .where("uses_left", ">", 0)
      .where("revoked_at", "is", null)
      .returning("id"),
  );
}

export async function isInvitationUsable(db: Db, tokenHash: string, now: number): Promise<boolean> {
  return exists(
    db
      .selectFrom("invitations")
      .select("id")
      .where("token_hash", "=", tokenHash)
      .where((builder) => isOpen(builder, now)),
  );
}

/** `by` is `null` if the inviting member is not visible or unknown. */
export async function findOpenInvitation(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<{ by: string | null } | undefined> {
  return db
    .selectFrom("invitations")
    .select((builder) =>
      builder
        .selectFrom("users")
        .select("name")
        .whereRef("users.id", "=", "invitations.created_by")
        .where("visibility", "in", shownWith.invitations)
        .as("by"),
    )
    .where("token_hash", "=", tokenHash)
    .where((builder) => isOpen(builder, now))
    .executeTakeFirst();
}

function isOpen({ and, eb }: ExpressionBuilder<Tables, "invitations">, now: number) {
  return and([eb("uses_left", ">", 0), eb("revoked_at", "is", null), eb("expires_at", ">", now)]);
}

export async function listInvitations(db: Db, before: number, limit: number) {
  const invitations = await db
    .selectFrom("invitations")
    .leftJoin("users as maker", "maker.id", "invitations.created_by")
    .select(["invitations.id", "invitations.permissions", "invitations.created_at", "invitations.expires_at"])
    .select(["invitations.uses_left", "invitations.revoked_at", "maker.name as by"])
    .where("invitations.id", "<", before)
    .orderBy("invitations.id", "desc")
    .limit(limit)
    .execute();
  const members = await listInvitedMembers(
    db,
    invitations.map(({ id }) => id),
  );
  return invitations.map((invitation) => ({
    ...invitation,
    permissions: parseStored(invitation.permissions),
    members: members.filter(({ invitation_id }) => invitation_id === invitation.id),
  }));
}

async function listInvitedMembers(db: Db, invitationIds: readonly number[]) {
  if (invitationIds.length === 0) return [];
  return db
    .selectFrom("users")
    .select(memberStore.listedMember)
    .select("invitation_id")
    .where("invitation_id", "in", invitationIds)
    .orderBy("id")
    .execute();
}

export async function hasInvitation(db: Db, id: number): Promise<boolean> {
  return exists(db.selectFrom("invitations").select("id").where("id", "=", id));
}

/** Returns the ids of the revoked invitations. */
export async function revokeOpenInvitations(
  tx: Db,
  at: number,
  which: { readonly created_by?: number; readonly is_first?: 1 } = {},
  exceptHash = "",
): Promise<number[]> {
  const rows = await tx
    .updateTable("invitations")
    .set({ revoked_at: at })
    .where(({ and }) => and(which))
    .where("token_hash", "!=", exceptHash)
    .where("uses_left", ">", 0)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", at)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns `false` if the invitation is unknown or already revoked. */
export async function updateRevokedAt(db: Db, id: number, at: number): Promise<boolean> {
  return exists(
    db
      .updateTable("invitations")
      .set({ revoked_at: at })
      .where("id", "=", id)
      .where("revoked_at", "is", null)
      .returning("id"),
  );
}

export async function listOwnInvitations(db: Db, userId: number) {
  const invitations = await db
    .selectFrom("invitations")
    .select(["permissions", "created_at", "expires_at", "uses_left", "revoked_at"])
    .where("created_by", "=", userId)
    .orderBy("created_at")
    .execute();
  return invitations.map((invitation) => ({ ...invitation, permissions: parseStored(invitation.permissions) }));
}
