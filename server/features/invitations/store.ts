import type { Permission } from "#contract/endpoint.ts";
import type { Db } from "#server/db/connect.ts";

interface NewInvitation {
  token_hash: string;
  permissions: readonly Permission[];
  created_by: number | null;
  created_at: number;
  expires_at: number;
  uses_left: number;
}

export async function insertInvitation(db: Db, { permissions, ...invitation }: NewInvitation): Promise<void> {
  await db
    .insertInto("invitations")
    .values({ ...invitation, permissions: JSON.stringify(permissions), revoked_at: null })
    .execute();
}

/** Takes one use of an invitation and returns its permissions; null if it is unknown, used up, revoked or expired. */
export async function claimInvitation(db: Db, tokenHash: string, now: number): Promise<Permission[] | null> {
  const row = await db
    .updateTable("invitations")
    .set(({ eb }) => ({ uses_left: eb("uses_left", "-", 1) }))
    .where("token_hash", "=", tokenHash)
    .where("uses_left", ">", 0)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .returning("permissions")
    .executeTakeFirst();
  return row ? (JSON.parse(row.permissions) as Permission[]) : null;
}

export async function isInvitationUsable(db: Db, tokenHash: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom("invitations")
    .select("id")
    .where("token_hash", "=", tokenHash)
    .where("uses_left", ">", 0)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}
