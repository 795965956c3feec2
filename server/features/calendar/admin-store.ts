import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";

export interface ManagedDoor {
  readonly ownerId: number | null;
  readonly pictureId: string | null;
}

/**
 * Locks the assignment until the transaction ends. A door without one needs no lock: only administrators fill it, and
 * their changes are serialized.
 */
export async function lockDoor(tx: Db, date: string): Promise<ManagedDoor> {
  const assignment = await tx
    .updateTable("calendar_assignments")
    .set(({ ref }) => ({ reminders: ref("reminders") }))
    .where("date", "=", date)
    .returning("user_id")
    .executeTakeFirst();
  const picture = await tx.selectFrom("calendar_pictures").select("id").where("date", "=", date).executeTakeFirst();
  return { ownerId: assignment?.user_id ?? null, pictureId: picture?.id ?? null };
}

/** Returns `true` unless this administrator wants to see who drew which door. */
export async function findIsSurprised(db: Db, userId: number): Promise<boolean> {
  const user = await db.selectFrom("users").select("sees_door_owners").where("id", "=", userId).executeTakeFirst();
  return user?.sees_door_owners !== 1;
}

export async function updateIsSurprised(db: Db, userId: number, isSurprised: boolean): Promise<void> {
  const sees_door_owners = isSurprised ? 0 : 1;
  await db.updateTable("users").set({ sees_door_owners }).where("id", "=", userId).execute();
}

export async function listRevealed(db: Db, userId: number): Promise<Set<string>> {
  const rows = await db.selectFrom("calendar_reveals").select("picture_id").where("user_id", "=", userId).execute();
  return new Set(rows.map(({ picture_id }) => picture_id));
}

/** Returns `false` if already recorded. */
export async function createReveal(tx: Db, pictureId: string, userId: number, at: number): Promise<boolean> {
  return exists(
    tx
      .insertInto("calendar_reveals")
      .values({ picture_id: pictureId, user_id: userId, at })
      .onConflict((conflict) => conflict.columns(["picture_id", "user_id"]).doNothing())
      .returning("at"),
  );
}

/** Deletes those of deleted pictures and of pictures whose day has begun. */
export async function deleteOldReveals(db: Db, today: string): Promise<void> {
  await db
    .deleteFrom("calendar_reveals")
    .where("picture_id", "not in", ({ selectFrom }) =>
      selectFrom("calendar_pictures").select("id").where("date", ">", today),
    )
    .execute();
}

export async function findDoorOf(
  db: Db,
  pictureId: string,
): Promise<{ date: string; ownerId: number | null } | undefined> {
  return db
    .selectFrom("calendar_pictures as picture")
    .leftJoin("calendar_assignments as assignment", "assignment.date", "picture.date")
    .select(["picture.date", "assignment.user_id as ownerId"])
    .where("picture.id", "=", pictureId)
    .executeTakeFirst();
}
