import type { Db } from "#server/db/connect.ts";
import type { Tables } from "#server/db/tables.ts";

/** Takes the place of the member's earlier link. */
export async function putResetToken(db: Db, token: Tables["reset_tokens"]): Promise<void> {
  const { token_hash, expires_at } = token;
  await db
    .insertInto("reset_tokens")
    .values(token)
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ token_hash, expires_at }))
    .execute();
}

/** Whose link that is; undefined for one that is unknown, used, expired or of a disabled member. */
export async function findResetToken(db: Db, tokenHash: string, now: number) {
  return db
    .selectFrom("reset_tokens")
    .innerJoin("users", "users.id", "reset_tokens.user_id")
    .select(["users.id", "users.uname", "users.name", "users.email"])
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
}

/** Uses a link up; false if somebody else was faster. */
export async function claimResetToken(db: Db, tokenHash: string): Promise<boolean> {
  const row = await db
    .deleteFrom("reset_tokens")
    .where("token_hash", "=", tokenHash)
    .returning("user_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteResetToken(db: Db, userId: number): Promise<void> {
  await db.deleteFrom("reset_tokens").where("user_id", "=", userId).execute();
}

export async function deleteExpiredResetTokens(db: Db, now: number): Promise<void> {
  await db.deleteFrom("reset_tokens").where("expires_at", "<=", now).execute();
}
