import type { AuditAction, AuditDetails } from "#contract/audit.ts";
import type { Db } from "#server/db/connect.ts";

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

/** Lists entries by or about a member, oldest first. */
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
