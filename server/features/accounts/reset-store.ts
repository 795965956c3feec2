import type { Insertable } from "kysely";

import type { Db } from "#server/db/connect.ts";
import type { Tables } from "#server/db/schema.ts";
import * as memberStore from "#server/features/members/store.ts";

export async function createResetToken(db: Db, token: Omit<Insertable<Tables["reset_tokens"]>, "id">): Promise<void> {
  await db.insertInto("reset_tokens").values(token).execute();
}

export async function listLiveResetTokens(db: Db, userId: number, now: number) {
  return db
    .selectFrom("reset_tokens")
    .select(["id", "is_mailed"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .orderBy("id")
    .execute();
}

export async function deleteResetToken(db: Db, id: number): Promise<void> {
  await db.deleteFrom("reset_tokens").where("id", "=", id).execute();
}

/** Returns `undefined` if the link is unknown, used or expired, or the account is disabled. */
export async function findResetToken(db: Db, tokenHash: string, now: number) {
  return db
    .selectFrom("reset_tokens")
    .innerJoin("users", "users.id", "reset_tokens.user_id")
    .select(["users.id", "users.uname", "users.name", "users.email", memberStore.heldPermissions])
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
}

/** Returns `undefined` if another request has already used the link. */
export async function claimResetToken(db: Db, tokenHash: string) {
  return db.deleteFrom("reset_tokens").where("token_hash", "=", tokenHash).returning("is_mailed").executeTakeFirst();
}

export async function deleteResetTokens(db: Db, userId: number): Promise<void> {
  await db.deleteFrom("reset_tokens").where("user_id", "=", userId).execute();
}

/** Returns the ids of the members for whom the links were created. */
export async function deleteResetTokensBy(tx: Db, adminId: number, now: number): Promise<number[]> {
  const rows = await tx
    .deleteFrom("reset_tokens")
    .where("created_by", "=", adminId)
    .where("expires_at", ">", now)
    .returning("user_id")
    .execute();
  return rows.map(({ user_id }) => user_id);
}

export async function deleteExpiredResetTokens(db: Db, now: number): Promise<void> {
  await db.deleteFrom("reset_tokens").where("expires_at", "<=", now).execute();
}

export async function listOwnResetLinks(db: Db, userId: number) {
  return db
    .selectFrom("reset_tokens")
    .select(["is_mailed", "expires_at"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
}
