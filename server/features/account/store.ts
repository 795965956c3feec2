import type { Db } from "#server/db/connect.ts";
import { normalize } from "#server/features/members/rules.ts";

/** Tables whose rows belong to one member (`user_id`) and go with the account. The beers have a choice of their own. */
export const personalTables = [
  "sessions",
  "known_devices",
  "pictures",
  "reset_tokens",
  "calendar_openings",
  "notification_settings",
  "undone_beers",
  "milestones",
] as const;

export async function deletePersonalRows(tx: Db, userId: number): Promise<void> {
  for (const table of personalTables) await tx.deleteFrom(table).where("user_id", "=", userId).execute();
}

/** What is left of an account: a row that nobody can log in to, so that its number stays taken and tells nothing. */
export interface AnonymousUser {
  readonly uname: string;
  readonly name: string;
  readonly email: string;
  readonly disabled_at: number;
}

/** Writes over everything personal in the member's row; name and address are free again. */
export async function anonymizeUser(tx: Db, userId: number, remains: AnonymousUser): Promise<void> {
  await tx
    .updateTable("users")
    .set({
      ...remains,
      uname_key: normalize(remains.uname),
      email_key: normalize(remains.email),
      password_hash: "",
      permissions: "[]",
      avatar_id: null,
      invitation_id: null,
      last_login_at: null,
      is_shown: 1,
      is_paused: 0,
      created_at: remains.disabled_at,
      failed_logins: 0,
      locked_until: 0,
    })
    .where("id", "=", userId)
    .execute();
}

export async function findMembership(db: Db, userId: number) {
  return db
    .selectFrom("users")
    .select(["created_at", "last_login_at", "invitation_id"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
}

export async function listOwnDevices(db: Db, userId: number) {
  return db
    .selectFrom("sessions")
    .select(["id", "user_agent", "created_at", "last_seen_at", "confirmed_at", "is_remembered"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
}

export async function listOwnKnownDevices(db: Db, userId: number) {
  return db
    .selectFrom("known_devices")
    .select("last_login_at")
    .where("user_id", "=", userId)
    .orderBy("last_login_at")
    .execute();
}

export async function listOwnPictures(db: Db, userId: number) {
  return db
    .selectFrom("pictures")
    .select(["id", "created_at"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
}

export async function listOwnInvitations(db: Db, userId: number) {
  return db
    .selectFrom("invitations")
    .select(["permissions", "created_at", "expires_at", "uses_left", "revoked_at"])
    .where("created_by", "=", userId)
    .orderBy("created_at")
    .execute();
}

export async function listOwnUndoneBeers(db: Db, userId: number) {
  return db.selectFrom("undone_beers").select("key").where("user_id", "=", userId).orderBy("id").execute();
}

export async function listOwnResetLinks(db: Db, userId: number) {
  return db
    .selectFrom("reset_tokens")
    .select(["is_mailed", "expires_at"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
}

export async function listOwnOpenings(db: Db, userId: number) {
  return db
    .selectFrom("calendar_openings")
    .select(["date", "opened_at"])
    .where("user_id", "=", userId)
    .orderBy("date")
    .execute();
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
