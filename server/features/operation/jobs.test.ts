import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { expect, test } from "vitest";

import { days, hours, minutes } from "#server/time.ts";
import { createTestApp } from "#test/test-app.ts";
import { jobs } from "./jobs.ts";

test("the cleanup job deletes mail files and database copies made before upgrades after 30 days, and no other files", async () => {
  const app = await createTestApp();
  const { dataDir } = app.config;
  for (const [name, age] of [
    ["outbox/2026-10-20T18-30-00-000Z-a1.eml", 31],
    ["outbox/2026-10-22T18-30-00-000Z-a2.eml", 29],
    ["outbox/letter.eml", 31],
    ["before-upgrade/0001-members.db", 31],
    ["before-upgrade/0002-beercounter.db", 29],
    ["before-upgrade/2026-christmas.db", 31],
    ["old.eml", 31],
  ] as const) {
    const file = join(dataDir, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "Prost!");
    const at = (app.clock.now() - days(age)) / 1000;
    utimesSync(file, at, at);
  }
  await jobs[0]!.run(app.context);
  expect(readdirSync(join(dataDir, "outbox")).toSorted()).toEqual(["2026-10-22T18-30-00-000Z-a2.eml", "letter.eml"]);
  expect(readdirSync(join(dataDir, "before-upgrade")).toSorted()).toEqual(["0002-beercounter.db", "2026-christmas.db"]);
  expect(readdirSync(dataDir)).toContain("old.eml");
});

test("the cleanup job deletes unfinished files of a killed process after an hour, and no other files", async () => {
  const app = await createTestApp();
  const { dataDir } = app.config;
  const unfinished = [
    `secrets.json.${randomUUID()}.tmp`,
    `import.${randomUUID()}.tmp`,
    `outbox/2026-11-20.eml.${randomUUID()}.tmp`,
    `game-servers/3.json.${randomUUID()}.tmp`,
    "before-upgrade/0001-members.db.part",
    "before-upgrade/0001-members.db.part-journal",
  ];
  const others = [
    "letter.tmp",
    "letter.to-whom-ever-itmy-concernsthem.tmp",
    "game-servers/3.log",
    "other/secrets.json.tmp",
    "uploads/letter.txt",
    "before-upgrade/2026-christmas.db.part",
  ];
  const exist = (names: string[]) => names.filter((name) => existsSync(join(dataDir, name)));
  async function runWithFilesOf(age: number): Promise<void> {
    for (const name of [...unfinished, ...others]) {
      mkdirSync(dirname(join(dataDir, name)), { recursive: true });
      writeFileSync(join(dataDir, name), "Prost!");
      const at = (app.clock.now() - age) / 1000;
      utimesSync(join(dataDir, name), at, at);
    }
    await jobs[0]!.run(app.context);
  }
  await runWithFilesOf(minutes(59));
  expect(exist(unfinished)).toEqual(unfinished);
  await runWithFilesOf(hours(2));
  expect(exist(unfinished)).toEqual([]);
  expect(exist(others)).toEqual(others);
});
