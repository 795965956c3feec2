import type { Db } from "#server/db/connect.ts";

/** Omits days without beers; earliest first. */
export async function listDays(db: Db, userId: number): Promise<{ day: string; total: number }[]> {
  return db
    .selectFrom("beer_member_days")
    .select(["day", "total"])
    .where("user_id", "=", userId)
    .where("total", ">", 0)
    .orderBy("day")
    .execute();
}

/** Returns the newest first. */
export async function listParties(db: Db, userId: number, limit: number) {
  return selectParties(db, userId).selectAll().orderBy("id", "desc").limit(limit).execute();
}

export async function countParties(db: Db, userId: number): Promise<number> {
  const { count } = await selectParties(db, userId)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

function selectParties(db: Db, userId: number) {
  return db
    .selectFrom("parties")
    .where("id", "in", (eb) => eb.selectFrom("party_members").select("party_id").where("user_id", "=", userId));
}
