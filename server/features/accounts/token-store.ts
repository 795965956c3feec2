import type { Insertable } from "kysely";

import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";
import * as memberStore from "#server/features/members/store.ts";

/** Ignores tokens of disabled members. */
export async function findToken(db: Db, tokenHash: string, now: number) {
  return db
    .selectFrom("api_tokens")
    .innerJoin("users", "users.id", "api_tokens.user_id")
    .select(["api_tokens.id as token_id", "api_tokens.scope", "api_tokens.last_used_at"])
    .select(["users.id", "users.uname", "users.name", "users.email", "users.avatar_id", memberStore.heldPermissions])
    .select(["users.visibility", "users.news_seen"])
    .where("token_hash", "=", tokenHash)
    .where("users.disabled_at", "is", null)
    .where(({ eb, or }) => or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .executeTakeFirst();
}

export async function createToken(tx: Db, token: Omit<Insertable<Tables["api_tokens"]>, "id">): Promise<void> {
  await tx.insertInto("api_tokens").values(token).execute();
}

export async function listTokens(db: Db, userId: number) {
  return db
    .selectFrom("api_tokens")
    .select(["id", "name", "scope", "created_at", "expires_at", "last_used_at"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
}

export async function updateLastUsed(db: Db, id: number, at: number): Promise<void> {
  await db.updateTable("api_tokens").set({ last_used_at: at }).where("id", "=", id).execute();
}

export async function deleteToken(tx: Db, userId: number, id: number): Promise<boolean> {
  return exists(tx.deleteFrom("api_tokens").where("id", "=", id).where("user_id", "=", userId).returning("id"));
}

export async function deleteTokens(tx: Db, userId: number): Promise<void> {
  await tx.deleteFrom("api_tokens").where("user_id", "=", userId).execute();
}
