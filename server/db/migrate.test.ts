import type { Kysely } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";

import { type House, openHouse } from "#test/open-house.ts";
import { migrate, NewerSchemaError, pendingMigrations } from "./migrate.ts";

let house: House;

beforeEach(async () => {
  house = await openHouse();
});

afterEach(() => house.close());

const run = () => migrate(house.db, house.database.kind, house.clock.now());
const names = () => house.db as unknown as Kysely<{ migrations: { name: string; at: number } }>;

test("a schema that is up to date is left alone", async () => {
  await house.seat("anna");
  expect(await run()).toEqual([]);
  expect((await house.db.selectFrom("users").select("uname").execute()).map(({ uname }) => uname)).toEqual(["anna"]);
});

test("every migration is recorded once, in order", async () => {
  const rows = await names().selectFrom("migrations").selectAll().orderBy("name").execute();
  expect(rows.map(({ name }) => name)).toEqual(pendingMigrations([]));
  expect(rows[0]).toEqual({ name: "0001-members", at: expect.any(Number) });
});

test("data of a newer program are refused and stay as they are", async () => {
  await house.seat("anna");
  await names().insertInto("migrations").values({ name: "9999-future", at: 1 }).execute();
  await expect(run()).rejects.toThrow(NewerSchemaError);
  await expect(run()).rejects.toThrow("written by a newer version of Stammtisch (it knows “9999-future”)");
  await expect(house.reopen()).rejects.toThrow(NewerSchemaError);
  expect(await house.db.selectFrom("users").select("id").execute()).toHaveLength(1);
});

test("several servers that start at once migrate once", async () => {
  // A migration that no later one builds on.
  for (const table of ["calendar_pictures", "calendar_openings", "calendar_audio"]) {
    await names().schema.dropTable(table).execute();
  }
  await names().deleteFrom("migrations").where("name", "=", "0003-christmas-calendar").execute();
  const applied = await Promise.all([run(), run(), run()]);
  expect(applied.flat()).toEqual(["0003-christmas-calendar"]);
  const anna = await house.member("anna");
  expect((await anna.get("/api/christmas-calendar/opened-images")).status).toBe(200);
});
