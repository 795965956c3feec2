import type { Db } from "#server/db/connect.ts";

/**
 * Returns the picture id and the name of an enabled member; `undefined` if the member is unknown or
 * disabled.
 */
export async function findMemberAvatar(db: Db, id: number) {
  return db
    .selectFrom("users")
    .select(["avatar_id as avatarId", "name"])
    .where("id", "=", id)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
}
