import type { Insertable, Selectable } from "kysely";

import type { TvScope } from "#contract/tv.ts";
import { shownWith } from "#contract/visibility.ts";
import { sizeOf, type StoredFile } from "#server/db/bytes.ts";
import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import { maxId } from "#server/db/paginate.ts";
import type { Tables } from "#server/db/schema.ts";
import * as memberStore from "#server/features/members/store.ts";

export async function createLink(db: Db, link: Omit<Insertable<Tables["tv_links"]>, "id">): Promise<number> {
  const { id } = await db.insertInto("tv_links").values(link).returning("id").executeTakeFirstOrThrow();
  return id;
}

/** Returns the newest first, with the name of the creator. */
export async function listLinks(db: Db) {
  return db
    .selectFrom("tv_links")
    .leftJoin("users", "users.id", "tv_links.created_by")
    .select(["tv_links.id", "tv_links.name", "tv_links.scope", "tv_links.created_at", "tv_links.last_used_at"])
    .select("users.name as by")
    .orderBy("tv_links.id", "desc")
    .execute();
}

export async function listOwnLinks(db: Db, userId: number) {
  return db
    .selectFrom("tv_links")
    .select(["name", "created_at", "last_used_at"])
    .where("created_by", "=", userId)
    .orderBy("id")
    .execute();
}

/** Returns `undefined` if the link does not exist. */
export async function deleteLink(tx: Db, id: number) {
  return tx.deleteFrom("tv_links").where("id", "=", id).returning(["name", "scope"]).executeTakeFirst();
}

export async function deleteLinksBy(tx: Db, userId: number) {
  return tx.deleteFrom("tv_links").where("created_by", "=", userId).returning(["name", "scope"]).execute();
}

/** The creation of a link counts as its first use. */
export async function deleteIdleLinks(db: Db, since: number): Promise<void> {
  await db
    .deleteFrom("tv_links")
    .where(({ fn }) => fn.coalesce("last_used_at", "created_at"), "<=", since)
    .execute();
}

/** Returns `undefined` if the token is unknown, or the link has not been used or created after `since`. */
export async function findLink(db: Db, tokenHash: string, since: number) {
  return db
    .selectFrom("tv_links")
    .select(["id", "name", "scope", "last_used_at"])
    .where("token_hash", "=", tokenHash)
    .where(({ fn }) => fn.coalesce("last_used_at", "created_at"), ">", since)
    .executeTakeFirst();
}

export async function updateLastUsed(db: Db, id: number, at: number): Promise<void> {
  await db.updateTable("tv_links").set({ last_used_at: at }).where("id", "=", id).execute();
}

/** Returns only the selected picture of an enabled member whom the device shows. */
export async function findShownPicture(db: Db, id: string, scope: TvScope): Promise<StoredFile | undefined> {
  const row = await db
    .selectFrom("pictures")
    .innerJoin("users", "users.avatar_id", "pictures.id")
    .select(sizeOf("pictures.png").as("size"))
    .where("pictures.id", "=", id)
    .where("users.disabled_at", "is", null)
    .$if(scope === "tablet", (query) =>
      query.where("users.is_on_tablets", "=", 1).where("users.visibility", "in", shownWith.faces),
    )
    .executeTakeFirst();
  return row && memberStore.toPictureFile(db, id, row.size);
}

export async function countBeersSince(db: Db, since: number): Promise<number> {
  const { count } = await db
    .selectFrom("beers")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("at", ">=", since)
    .executeTakeFirstOrThrow();
  return count;
}

export async function createPairing(db: Db, pairing: Omit<Insertable<Tables["tv_pairings"]>, "id">): Promise<void> {
  await db.insertInto("tv_pairings").values(pairing).execute();
}

/** Keeps the `keep` newest codes that no member has entered. */
export async function deleteOldestUnusedPairings(tx: Db, keep: number): Promise<void> {
  const unused = tx.selectFrom("tv_pairings").select("id").where("paired_at", "is", null);
  await tx
    .deleteFrom("tv_pairings")
    // SQLite requires a limit with an offset.
    .where("id", "in", unused.orderBy("id", "desc").limit(maxId).offset(keep))
    .execute();
}

type Pairing = Selectable<Tables["tv_pairings"]>;

/** Returns `undefined` if the link was revoked after the pairing. */
export async function findScope(db: Db, tokenHash: string): Promise<TvScope | undefined> {
  const link = await db.selectFrom("tv_links").select("scope").where("token_hash", "=", tokenHash).executeTakeFirst();
  return link?.scope;
}

export async function findPairing(
  db: Db,
  which: Pick<Pairing, "code_hash"> | Pick<Pairing, "secret_hash">,
): Promise<Pairing | undefined> {
  return db
    .selectFrom("tv_pairings")
    .selectAll()
    .where(({ and }) => and(which))
    .executeTakeFirst();
}

/** Returns `false` if another member has already used the code. */
export async function updatePairedAt(tx: Db, id: number, at: number): Promise<boolean> {
  return exists(
    tx
      .updateTable("tv_pairings")
      .set({ paired_at: at })
      .where("id", "=", id)
      .where("paired_at", "is", null)
      .returning("id"),
  );
}

export async function deleteExpiredPairings(db: Db, now: number): Promise<void> {
  await db.deleteFrom("tv_pairings").where("expires_at", "<=", now).execute();
}
