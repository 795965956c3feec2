import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import { beforeEach, describe, expect, test } from "vitest";

import { epochOf } from "#server/platform/local-day.ts";
import { days } from "#server/time.ts";
import { runHostCommand } from "#test/host-commands.ts";
import { createTestApp } from "#test/test-app.ts";
import { makeBackupIfDue } from "./backup-actions.ts";
import { isBackupDue, isOverdue, listSurplus, nameBackup, parseState } from "./backup-rules.ts";

const zone = "Europe/Berlin";
const at = (day: string, time: string) => epochOf(`2026-11-${day}`, time, zone);
const madeAt = (made_at: number | null) => ({ ...parseState(undefined, 0), made_at });

test.each([
  ["before four at night", "daily", null, at("20", "03:59"), false],
  ["before the first backup", "daily", null, at("20", "04:00"), true],
  ["on the day of the last backup", "daily", at("20", "04:10"), at("20", "23:00"), false],
  ["on the day after the last backup", "daily", at("20", "23:00"), at("21", "04:00"), true],
  ["on the day after the last backup", "weekly", at("20", "04:30"), at("21", "05:00"), false],
  ["a week after the last backup", "weekly", at("20", "04:30"), at("27", "04:00"), true],
  ["if the last backup is in the future", "daily", at("28", "04:00"), at("20", "05:00"), true],
  ["at any time", "off", null, at("20", "05:00"), false],
] as const)("a backup %s is due as BACKUP_EVERY=%s says", (_, every, made, now, due) => {
  expect(isBackupDue(madeAt(made), every, now, zone)).toBe(due);
});

test("backups are overdue after a week without one, and never if they are switched off", () => {
  const now = at("20", "05:00");
  expect(isOverdue(madeAt(now - days(7) - 1), "daily", now)).toBe(true);
  expect(isOverdue(madeAt(now - days(7)), "daily", now)).toBe(false);
  expect(isOverdue(madeAt(null), "daily", now)).toBe(true);
  expect(isOverdue({ ...madeAt(null), since: now - days(1) }, "daily", now)).toBe(false);
  expect(isOverdue(madeAt(null), "off", now)).toBe(false);
});

test("only the oldest backups of the server are surplus, and no other files", () => {
  const names = ["20", "21", "22"].map((day) => nameBackup(at(day, "04:00"), zone));
  expect(names[0]).toBe("stammtisch-2026-11-20-0400.backup");
  expect(listSurplus(["before-the-party.backup", ...names.toReversed(), "07.backup"], 2)).toEqual([names[0]]);
  expect(listSurplus(names, 14)).toEqual([]);
});

describe("the server", async () => {
  const app = await createTestApp({ BACKUP_KEEP: "2" }, { onDisk: true });
  const { backupDir, dataDir } = app.config;
  const anna = await app.createMember("anna");
  await app.rememberSessions();
  await anna.post("/api/beercounter/counters");

  beforeEach(() => {
    app.clock.time = at("20", "04:00");
    rmSync(backupDir, { recursive: true, force: true });
  });

  const rowsOf = (file: Buffer) => gunzipSync(file).toString();
  const state = async () => (await anna.get("/api/admin/backups")).json;

  test("the server makes a backup every night, keeps BACKUP_KEEP of them, and rehearses a restore once a week", async () => {
    mkdirSync(backupDir);
    writeFileSync(join(backupDir, "own.txt"), "");
    for (let night = 0; night < 4; night += 1) {
      await makeBackupIfDue(app.context);
      await makeBackupIfDue(app.context);
      app.clock.time += days(1);
    }
    const kept = ["stammtisch-2026-11-22-0400.backup", "stammtisch-2026-11-23-0400.backup"];
    expect(readdirSync(backupDir).toSorted()).toEqual(["own.txt", ...kept]);
    expect(await state()).toEqual({
      every: "daily",
      made_at: new Date(at("23", "04:00")).toISOString(),
      bytes: readFileSync(join(backupDir, kept[1]!)).length,
      verified_at: new Date(at("20", "04:00")).toISOString(),
      failure: null,
      is_overdue: false,
    });
    expect(readdirSync(dataDir).filter((name) => name.startsWith(".backup"))).toEqual([]);
    app.clock.time += days(7);
    expect(await state()).toMatchObject({ is_overdue: true });
  });

  test("an administrator makes a backup at once, and others cannot", async () => {
    expect((await anna.post("/api/admin/backups")).json).toEqual({ message: "Backup gemacht." });
    expect(readdirSync(backupDir)).toEqual(["stammtisch-2026-11-20-0400.backup"]);
    const verified = await runHostCommand(app, "backup verify", app.config, [
      join(backupDir, readdirSync(backupDir)[0]!),
    ]);
    expect(verified.json).toMatchObject({ beers: 1, users: 1 });
    expect((await (await app.createMember("ben")).post("/api/admin/backups")).status).toBe(403);
  });

  test("a backup that cannot be written is reported with its reason, until the next one succeeds", async () => {
    writeFileSync(backupDir, "a file");
    const failed = await anna.post("/api/admin/backups");
    expect([failed.status, failed.json.code]).toEqual([503, "backupFailed"]);
    expect(await state()).toMatchObject({ failure: expect.stringContaining("EEXIST") });
    rmSync(backupDir);
    await anna.post("/api/admin/backups");
    expect(await state()).toMatchObject({ failure: null });
  });

  test("a downloaded backup has webhooks and generated keys only on request, and needs a recent password", async () => {
    const target = {
      name: "Chat",
      format: "json",
      url: "https://chat.example/secret-path",
      token: "",
      events: ["party"],
    };
    expect((await anna.post("/api/admin/webhooks", target)).status).toBe(201);
    const download = async (with_secrets: boolean) => anna.post("/api/admin/backups/download", { with_secrets });
    const plain = await download(false);
    expect(plain.headers["content-disposition"]).toContain("stammtisch-2026-11-20-0400.backup");
    expect(rowsOf(plain.bytes)).not.toMatch(/secret-path|"secrets"/);
    const all = rowsOf((await download(true)).bytes);
    expect(all).toMatch(/secret-path/);
    expect(all).toMatch(/"secrets"/);
    const audit = await app.db
      .selectFrom("audit")
      .select("details")
      .where("action", "=", "backup-downloaded")
      .execute();
    expect(audit.map(({ details }) => JSON.parse(details))).toEqual([{ withSecrets: false }, { withSecrets: true }]);
    expect(readdirSync(dataDir).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    app.clock.time += days(1);
    expect((await download(false)).status).toBe(423);
  });

  test("the browser gets the checks of the command “doctor”, with the same sentences", async () => {
    const { checks } = (await anna.get("/api/admin/doctor")).json as { checks: { name: string; detail: string }[] };
    const told = (await runHostCommand(app, "doctor", app.config, [])).json as { checks: typeof checks };
    expect(checks.map(({ name }) => name)).toEqual(told.checks.map(({ name }) => name));
    for (const name of ["database", "schema", "counts", "backups", "mail"])
      expect(checks.find((one) => one.name === name)).toEqual(told.checks.find((one) => one.name === name));
  });
});
