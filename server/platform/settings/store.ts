import type { Db } from "#server/db/connect.ts";

/** Excludes the setting of server/db/migrate.ts. */
export type Setting = "secrets" | "time-zone" | "last-probe" | "group" | "releases" | "backups";

export async function findSetting(db: Db, key: Setting): Promise<string | undefined> {
  const row = await db.selectFrom("settings").select("value").where("key", "=", key).executeTakeFirst();
  return row?.value;
}

/** Locks the setting until the transaction ends. */
export async function lockSetting(tx: Db, key: Setting): Promise<string | undefined> {
  const row = await tx
    .updateTable("settings")
    .set(({ ref }) => ({ value: ref("value") }))
    .where("key", "=", key)
    .returning("value")
    .executeTakeFirst();
  return row?.value;
}

export async function writeSetting(db: Db, key: Setting, value: string): Promise<void> {
  await db
    .insertInto("settings")
    .values({ key, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();
}

/** If several instances create the setting at once, the first value is kept. */
export async function getOrCreateSetting(db: Db, key: Setting, value: string): Promise<string> {
  await db
    .insertInto("settings")
    .values({ key, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findSetting(db, key)) ?? value;
}
