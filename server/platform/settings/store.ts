import type { Db } from "#server/db/connect.ts";

/** What this installation remembers about itself, one text per name. */
export type Setting = "secrets" | "time-zone" | "last-probe" | "group";

export async function findSetting(db: Db, key: Setting): Promise<string | undefined> {
  const row = await db.selectFrom("settings").select("value").where("key", "=", key).executeTakeFirst();
  return row?.value;
}

export async function writeSetting(db: Db, key: Setting, value: string): Promise<void> {
  await db
    .insertInto("settings")
    .values({ key, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();
}

/** Writes a setting that nobody has written yet, and returns the one that stands: of several writers the first wins. */
export async function getOrCreateSetting(db: Db, key: Setting, value: string): Promise<string> {
  await db
    .insertInto("settings")
    .values({ key, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findSetting(db, key)) ?? value;
}
