import type { Db } from "#server/db/connect.ts";

/** Proves that the database answers and takes writes. */
export async function readAndWrite(db: Db, now: number): Promise<void> {
  await db
    .insertInto("settings")
    .values({ key: "last-probe", value: String(now) })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: String(now) }))
    .execute();
}
