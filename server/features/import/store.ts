import type { Db } from "#server/db/connect.ts";
import type { Person } from "./rules.ts";

/** All members but deleted ones, by name. The beers of a disabled member count, too. */
export async function listPeople(db: Db): Promise<Person[]> {
  return db
    .selectFrom("users")
    .select(["id", "uname", "name"])
    .where("password_hash", "!=", "")
    .orderBy("name")
    .orderBy("id")
    .execute();
}
