import type { Db } from "#server/db/connect.ts";
import * as memberStore from "#server/features/members/store.ts";

export async function listMembers(db: Db, now: number, id?: number) {
  const rows = await db
    .selectFrom("users")
    .$if(id !== undefined, (query) => query.where("users.id", "=", id!))
    .leftJoin("beer_members", "beer_members.user_id", "users.id")
    .leftJoin("invitations", "invitations.id", "users.invitation_id")
    .leftJoin("users as maker", "maker.id", "invitations.created_by")
    .select(["users.id", "users.uname", "users.name", "users.email", "users.avatar_id", memberStore.heldPermissions])
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
      selectFrom("webhooks")
        .select(fn.countAll<number>().as("count"))
        .whereRef("created_by", "=", "users.id")
        .where("paused_at", "is", null)
        .as("active_webhooks"),
    ])
    // Excludes deleted accounts, which keep a row without a password.
    .where("users.password_hash", "!=", "")
    .orderBy("users.id")
    .execute();
  return rows.map((row) => ({ ...row, permissions: memberStore.parsePermissions(row.permissions) }));
}
