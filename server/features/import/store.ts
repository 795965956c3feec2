import type { Db } from "#server/db/connect.ts";
import type { Person } from "./rules.ts";

/**
 * Lists all members by name. Includes disabled members, whose beers count, but no deleted accounts.
 */
export async function listPeople(db: Db): Promise<Person[]> {
  return db
    .selectFrom("users")
    .select(["id", "uname", "name"])
    .where("password_hash", "!=", "")
    .orderBy("name")
    .orderBy("id")
    .execute();
}
