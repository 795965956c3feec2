import type { Insertable } from "kysely";

import type { Db } from "#server/db/connect.ts";
import type { Tables } from "#server/db/schema.ts";

export async function insertNotice(tx: Db, notice: Insertable<Tables["calendar_notices"]>): Promise<number> {
  const { id } = await tx.insertInto("calendar_notices").values(notice).returning("id").executeTakeFirstOrThrow();
  return id;
}

export async function listNotices(db: Db, userId: number) {
  return db
    .selectFrom("calendar_notices")
    .select(["id", "at", "kind", "date", "moved_to"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
}

/** Deletes the notice and all older ones. */
export async function deleteNotices(db: Db, userId: number, lastId: number): Promise<void> {
  await db.deleteFrom("calendar_notices").where("user_id", "=", userId).where("id", "<=", lastId).execute();
}
