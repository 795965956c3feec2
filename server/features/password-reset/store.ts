import type { Insertable } from "kysely";

import type { Db } from "#server/db/connect.ts";
import { expired, unexpired } from "#server/db/expiry.ts";
import type { Tables } from "#server/db/tables.ts";
import { linkLifetimeMs } from "./rules.ts";

export async function createResetToken(db: Db, token: Omit<Insertable<Tables["reset_tokens"]>, "id">): Promise<void> {
  await db.insertInto("reset_tokens").values(token).execute();
}

/** A member's live links, the oldest first. */
export async function listLiveResetTokens(db: Db, userId: number, now: number) {
  return db
    .selectFrom("reset_tokens")
    .select(["id", "is_mailed"])
    .where("user_id", "=", userId)
    .where(unexpired("expires_at", now, linkLifetimeMs.handedOver))
    .orderBy("id")
    .execute();
}

export async function deleteResetToken(db: Db, id: number): Promise<void> {
  await db.deleteFrom("reset_tokens").where("id", "=", id).execute();
}

/** The member of a link; undefined if it is unknown, used or expired, or if the account is disabled. */
export async function findResetToken(db: Db, tokenHash: string, now: number) {
  return db
    .selectFrom("reset_tokens")
    .innerJoin("users", "users.id", "reset_tokens.user_id")
    .select(["users.id", "users.uname", "users.name", "users.email", "users.permissions"])
    .where("token_hash", "=", tokenHash)
    .where(unexpired("expires_at", now, linkLifetimeMs.handedOver))
    .where("disabled_at", "is", null)
    .executeTakeFirst();
}

/** Uses a link and returns its origin; undefined if another request has used it. */
export async function claimResetToken(db: Db, tokenHash: string) {
  return db.deleteFrom("reset_tokens").where("token_hash", "=", tokenHash).returning("is_mailed").executeTakeFirst();
}

/** Ends all of a member's links. */
export async function deleteResetTokens(db: Db, userId: number): Promise<void> {
  await db.deleteFrom("reset_tokens").where("user_id", "=", userId).execute();
}

/** Ends the live links that an administrator made, and returns the ids of the members they were for. */
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
  await db
    .deleteFrom("reset_tokens")
    .where(expired("expires_at", now, linkLifetimeMs.handedOver))
    .execute();
}

export async function listOwnResetLinks(db: Db, userId: number) {
  return db
    .selectFrom("reset_tokens")
    .select(["is_mailed", "expires_at"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
}
