import { expect, test } from "vitest";

import { createSqliteDatabase } from "#test/database.ts";
import { type Db, inTransaction } from "./connect.ts";
import { prepareQuery } from "./prepared-query.ts";

const insertKey = prepareQuery((db: Db, key: string) => db.insertInto("settings").values({ key, value: "" }));
const listKeys = prepareQuery((db: Db) => db.selectFrom("settings").select("key"));

test("a prepared query sees the rows of its own transaction at once, and those of another one after the commit", async () => {
  const { db } = await createSqliteDatabase();
  const [inside, outside] = await inTransaction(db, async (tx) => {
    await insertKey(tx, "new");
    // Not awaited here: it waits for this transaction.
    return [await listKeys(tx), { rows: listKeys(db) }] as const;
  });
  expect(inside).toEqual([{ key: "new" }]);
  expect(await outside.rows).toEqual([{ key: "new" }]);
});

test("a prepared query never sees rows that are rolled back", async () => {
  const { db } = await createSqliteDatabase();
  let outside: Promise<unknown[]> | undefined;
  const failing = inTransaction(db, async (tx) => {
    await insertKey(tx, "new");
    outside = listKeys(db);
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  expect(await outside).toEqual([]);
});

test("a prepared query on a transaction that has ended fails", async () => {
  const { db } = await createSqliteDatabase();
  const ended = await inTransaction(db, async (tx) => ({ tx }));
  await expect(insertKey(ended.tx, "late")).rejects.toThrow(/committed/);
  await inTransaction(db, () => expect(insertKey(ended.tx, "in another one")).rejects.toThrow(/committed/));
  expect(await listKeys(db)).toEqual([]);
});
