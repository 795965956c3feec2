import type { Insertable } from "kysely";

import type { Db } from "#server/db/connect.ts";
import type { Tables } from "#server/db/tables.ts";

export async function createLink(db: Db, link: Omit<Insertable<Tables["tv_links"]>, "id">): Promise<number> {
  const { id } = await db.insertInto("tv_links").values(link).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** The newest first, each with its maker. */
export async function listLinks(db: Db) {
  return db
    .selectFrom("tv_links")
    .leftJoin("users", "users.id", "tv_links.created_by")
    .select(["tv_links.id", "tv_links.name", "tv_links.created_at", "tv_links.last_used_at", "users.name as by"])
    .orderBy("tv_links.id", "desc")
    .execute();
}

/** The name of the link that was deleted; null if there was none. */
export async function deleteLink(tx: Db, id: number): Promise<string | null> {
  const row = await tx.deleteFrom("tv_links").where("id", "=", id).returning("name").executeTakeFirst();
  return row?.name ?? null;
}

/** Deletes the links that a member made, and returns their names. */
export async function deleteLinksBy(tx: Db, userId: number): Promise<string[]> {
  const rows = await tx.deleteFrom("tv_links").where("created_by", "=", userId).returning("name").execute();
  return rows.map(({ name }) => name);
}

export async function findLink(db: Db, tokenHash: string): Promise<{ id: number; last_used_at: number | null } | null> {
  const row = await db
    .selectFrom("tv_links")
    .select(["id", "last_used_at"])
    .where("token_hash", "=", tokenHash)
    .executeTakeFirst();
  return row ?? null;
}

export async function updateLastUsed(db: Db, id: number, at: number): Promise<void> {
  await db.updateTable("tv_links").set({ last_used_at: at }).where("id", "=", id).execute();
}

/** What enabled members who take no break drank last, first. */
export async function listLatestTaps(db: Db, limit: number) {
  return db
    .selectFrom("beers")
    .innerJoin("users", "users.id", "beers.user_id")
    .select(["beers.id", "users.name", "users.avatar_id as avatarId", "beers.at"])
    .where("users.disabled_at", "is", null)
    .where("users.is_paused", "=", 0)
    .orderBy("beers.at", "desc")
    .orderBy("beers.id", "desc")
    .limit(limit)
    .execute();
}

/** The picture, if an enabled member shows it. */
export async function findShownPicture(db: Db, id: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom("pictures")
    .innerJoin("users", "users.avatar_id", "pictures.id")
    .select("pictures.png")
    .where("pictures.id", "=", id)
    .where("users.disabled_at", "is", null)
    .executeTakeFirst();
  return row ? Buffer.from(row.png) : null;
}
