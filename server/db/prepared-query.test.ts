import { setImmediate as nextTurn } from "node:timers/promises";

import { expect, test } from "vitest";

import { createSqliteDatabase } from "#test/database.ts";
import { type Db, inTransaction } from "./connect.ts";
import { prepareQuery } from "./prepared-query.ts";

const insertKey = prepareQuery((db: Db, key: string) => db.insertInto("settings").values({ key, value: "" }));
const createDatabase = async () => {
  const database = await createSqliteDatabase();
  await database.db.deleteFrom("settings").execute();
  return database;
};
const listKeys = prepareQuery((db: Db) => db.selectFrom("settings").select("key"));

test("a prepared query sees new rows inside its transaction, and outside of it only after the commit", async () => {
  const { db } = await createDatabase();
  const [inside, outside] = await inTransaction(db, async (tx) => {
    await insertKey(tx, "new");
    // Not awaited, because the outer query waits for this transaction to end.
    return [await listKeys(tx), { rows: listKeys(db) }] as const;
  });
  expect(inside).toEqual([{ key: "new" }]);
  expect(await outside.rows).toEqual([{ key: "new" }]);
});

test("concurrent transactions run one after the other, and a transaction that is rolled back does not stop the next one", async () => {
  const { db } = await createDatabase();
  const write = async (key: string, isFailing = false) =>
    inTransaction(db, async (tx) => {
      const before = await tx.selectFrom("settings").select("key").execute();
      await nextTurn();
      await tx.insertInto("settings").values({ key, value: "" }).execute();
      if (isFailing) throw new Error("rolled back");
      return before.length;
    });
  const results = await Promise.allSettled([write("one"), write("two", true), write("three"), write("four")]);
  expect(results.map((result) => (result.status === "fulfilled" ? result.value : null))).toEqual([0, null, 1, 2]);
  expect(await listKeys(db)).toHaveLength(3);
});

test("a prepared query never returns rows of a transaction that is rolled back", async () => {
  const { db } = await createDatabase();
  let outside: Promise<unknown[]> | undefined;
  const failing = inTransaction(db, async (tx) => {
    await insertKey(tx, "new");
    outside = listKeys(db);
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  expect(await outside).toEqual([]);
});

test("a query on an ended transaction fails, whether it is prepared or not", async () => {
  const { db } = await createDatabase();
  const ended = await inTransaction(db, async (tx) => ({ tx }));
  await expect(insertKey(ended.tx, "late")).rejects.toThrow(/committed/);
  await inTransaction(db, () => expect(insertKey(ended.tx, "in another one")).rejects.toThrow(/committed/));
  await expect(ended.tx.selectFrom("settings").selectAll().execute()).rejects.toThrow(/committed/);
  expect(await listKeys(db)).toEqual([]);
});
