import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";
import { expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { runCommandOn } from "#test/command-line.ts";
import { createTestApp } from "#test/test-app.ts";
import { commands } from "./commands.ts";

test("an import that fails after thousands of beers books none of them, and a retry books each beer once", async () => {
  const app = await createTestApp();
  const anna = await app.createMember("anna");
  const times = Array.from({ length: 5000 }, (_, index) => 1.5e12 + index * 60_000);
  const path = join(createTemporaryFolder(), "beers.csv");
  writeFileSync(path, ["name,time", ...times.map((at) => `anna,${new Date(at).toISOString()}`)].join("\n"));
  const run = () => runCommandOn(app, commands, "import", [path], { format: "csv" });

  await sql`create trigger full_disk before insert on beers when new.at = ${sql.lit(times[4000])}
    begin select raise(abort, 'the disk is full'); end`.execute(app.db);
  await expect(run()).rejects.toThrow("the disk is full");
  const counters = async () => (await anna.get("/api/beercounter/counters")).json;
  expect(await counters()).toEqual({ KSKCounterVal: 0, userCounterVal: 0 });
  expect(await app.db.selectFrom("audit").selectAll().execute()).toEqual([]);

  await sql`drop trigger full_disk`.execute(app.db);
  expect((await run()).text).toBe("5000 imported, 0 skipped");
  expect(await counters()).toEqual({ KSKCounterVal: 5000, userCounterVal: 5000 });
});
