import type { Db } from "#server/db/connect.ts";

/** Returns picture and name of an enabled member. */
export async function findMemberAvatar(db: Db, id: number) {
  return db
    .selectFrom("users")
    .select(["avatar_id as avatarId", "name"])
    .where("id", "=", id)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
}
