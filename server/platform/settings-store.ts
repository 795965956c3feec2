import type { Db } from "#server/db/connect.ts";

/** What is stored under a key; the value given is stored first where nothing is, and of two writers the first one wins. */
export async function keepSetting(db: Db, key: string, value: string): Promise<string> {
  await db
    .insertInto("settings")
    .values({ key, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await db.selectFrom("settings").select("value").where("key", "=", key).executeTakeFirstOrThrow();
  return row.value;
}
