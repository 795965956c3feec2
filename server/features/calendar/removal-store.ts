import { sql } from "kysely";

import type { Db } from "#server/db/connect.ts";

/** Only the side that removed a picture can restore it. */
export interface Remover {
  readonly isByOwner: boolean;
}

/** Keeps the picture with its text for restoring; returns `false` if the door has none. */
export async function removePicture(tx: Db, date: string, { isByOwner }: Remover, at: number): Promise<boolean> {
  const picture = await tx
    .selectFrom("calendar_pictures as picture")
    .leftJoin("calendar_assignments as assignment", "assignment.date", "picture.date")
    .select(["picture.id", "picture.date", "picture.screen", "picture.phone"])
    .select(["assignment.user_id", "assignment.text", "assignment.is_hidden"])
    .where("picture.date", "=", date)
    .executeTakeFirst();
  if (!picture) return false;
  const { user_id: owner_id, is_hidden, ...kept } = picture;
  const by = Number(isByOwner);
  await tx.deleteFrom("calendar_removed_pictures").where("date", "=", date).where("is_by_owner", "=", by).execute();
  await tx
    .insertInto("calendar_removed_pictures")
    .values({ ...kept, owner_id, is_hidden: is_hidden ?? 0, is_by_owner: by, removed_at: at })
    .execute();
  await tx.deleteFrom("calendar_pictures").where("date", "=", date).execute();
  await updateDetails(tx, date, { text: null, is_hidden: 0 });
  return true;
}

/** `since` is epoch ms. */
export async function findRemoved(db: Db, date: string, { isByOwner }: Remover, since: number) {
  return db
    .selectFrom("calendar_removed_pictures")
    .select(["id", "owner_id"])
    .where("date", "=", date)
    .where("is_by_owner", "=", Number(isByOwner))
    .where("removed_at", ">", since)
    .executeTakeFirst();
}

export async function restorePicture(tx: Db, id: string): Promise<void> {
  const { date, screen, phone, text, is_hidden } = await tx
    .deleteFrom("calendar_removed_pictures")
    .where("id", "=", id)
    .returning(["date", "screen", "phone", "text", "is_hidden"])
    .executeTakeFirstOrThrow();
  await tx.insertInto("calendar_pictures").values({ date, id, screen, phone }).execute();
  await updateDetails(tx, date, { text, is_hidden });
}

async function updateDetails(tx: Db, date: string, details: { text: string | null; is_hidden: number }): Promise<void> {
  await tx.updateTable("calendar_assignments").set(details).where("date", "=", date).execute();
}

/**
 * Returns the days whose picture was removed after `since` (epoch ms), if the door is still empty and has the same
 * owner.
 */
export async function listRestorable(db: Db, year: number, { isByOwner }: Remover, since: number): Promise<string[]> {
  const rows = await db
    .selectFrom("calendar_removed_pictures as removed")
    .leftJoin("calendar_pictures as picture", "picture.date", "removed.date")
    .leftJoin("calendar_assignments as assignment", "assignment.date", "removed.date")
    .select("removed.date")
    .where("removed.date", "like", `${year}-%`)
    .where("removed.is_by_owner", "=", Number(isByOwner))
    .where("removed.removed_at", ">", since)
    .where("picture.id", "is", null)
    .where(sql<boolean>`coalesce(removed.owner_id, 0) = coalesce(assignment.user_id, 0)`)
    .execute();
  return rows.map(({ date }) => date);
}

/** `before` is epoch ms. */
export async function deleteRemovedBefore(db: Db, before: number): Promise<void> {
  await db.deleteFrom("calendar_removed_pictures").where("removed_at", "<=", before).execute();
}

export async function listOwnRemoved(db: Db, userId: number) {
  return db
    .selectFrom("calendar_removed_pictures")
    .select(["date", "text", "removed_at"])
    .where("owner_id", "=", userId)
    .orderBy("removed_at")
    .execute();
}
