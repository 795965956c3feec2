import type { AuditAction, AuditDetails } from "#contract/admin-audit.ts";
import type { Permission } from "#contract/endpoint.ts";
import type { Db } from "#server/db/connect.ts";

/** All members in the order of their registration, or the one with `id`, with beers, invitation, valid links and last visit. */
export async function listMembers(db: Db, now: number, id?: number) {
  const rows = await db
    .selectFrom("users")
    .$if(id !== undefined, (query) => query.where("users.id", "=", id!))
    .leftJoin("beer_members", "beer_members.user_id", "users.id")
    .leftJoin("invitations", "invitations.id", "users.invitation_id")
    .leftJoin("users as maker", "maker.id", "invitations.created_by")
    .select(["users.id", "users.uname", "users.name", "users.email", "users.permissions", "users.avatar_id"])
    .select(["users.disabled_at", "users.created_at", "users.last_login_at", "beer_members.total"])
    .select(["invitations.id as invitation_id", "maker.name as invited_by"])
    .select(({ selectFrom }) =>
      selectFrom("sessions")
        .select(({ fn }) => fn.max("last_seen_at").as("at"))
        .whereRef("user_id", "=", "users.id")
        .as("last_seen_at"),
    )
    .select(({ selectFrom, fn }) => [
      selectFrom("invitations")
        .select(fn.countAll<number>().as("count"))
        .whereRef("created_by", "=", "users.id")
        .where("uses_left", ">", 0)
        .where("revoked_at", "is", null)
        .where("expires_at", ">", now)
        .as("open_invitations"),
      selectFrom("tv_links")
        .select(fn.countAll<number>().as("count"))
        .whereRef("created_by", "=", "users.id")
        .as("open_tv_links"),
      selectFrom("reset_tokens")
        .select(fn.countAll<number>().as("count"))
        .whereRef("created_by", "=", "users.id")
        .where("expires_at", ">", now)
        .as("open_reset_links"),
    ])
    // Deleted accounts keep a row without a password.
    .where("users.password_hash", "!=", "")
    .orderBy("users.id")
    .execute();
  return rows.map((row) => ({ ...row, permissions: JSON.parse(row.permissions) as Permission[] }));
}

/** The newest `limit` lines of the audit list with ids below `before`. */
export async function listAudit(db: Db, before: number, limit: number) {
  const rows = await db
    .selectFrom("audit")
    .leftJoin("users as actor", "actor.id", "audit.actor_id")
    .leftJoin("users as member", "member.id", "audit.member_id")
    .select(["audit.id", "audit.at", "audit.via", "audit.action", "audit.details"])
    .select(["actor.id as actor_id", "actor.name as actor_name", "actor.avatar_id as actor_avatar"])
    .select(["member.id as member_id", "member.name as member_name", "member.avatar_id as member_avatar"])
    .where("audit.id", "<", before)
    .orderBy("audit.id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    ...row,
    action: row.action as AuditAction,
    details: JSON.parse(row.details) as AuditDetails[AuditAction],
  }));
}

/** Lines of the audit list that tell what a member did, or what was done to her or him. */
export async function listOwnAudit(db: Db, userId: number, afterId: number, limit: number) {
  return db
    .selectFrom("audit")
    .select(["id", "at", "action", "actor_id", "member_id", "details"])
    .where(({ or, eb }) => or([eb("actor_id", "=", userId), eb("member_id", "=", userId)]))
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit)
    .execute();
}
