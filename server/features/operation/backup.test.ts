import { createHash, randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

import type { Kysely } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";

import { type DataLocation, openDatabase } from "#server/db/connect.ts";
import { listAppliedMigrations, migrateInTransaction, listPendingMigrations } from "#server/db/migrate.ts";
import { createInvitation } from "#server/features/accounts/invitation-actions.ts";
import { createResetLink } from "#server/features/accounts/reset-actions.ts";
import { insertPicture, insertUser, updateAvatar } from "#server/features/members/store.ts";
import { createLink } from "#server/features/tv/store.ts";
import { localDay } from "#server/platform/local-day.ts";
import { hashPassword } from "#server/platform/security/passwords.ts";
import { loadSecrets } from "#server/platform/security/secrets.ts";
import { hours, minutes } from "#server/time.ts";
import { version } from "#server/version.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";
import { runInProcess } from "#test/command-line.ts";
import { createEmptyLocation, databaseKind, type DatabaseKind, runHostCommand } from "#test/host-commands.ts";
import { createTestApp, password } from "#test/test-app.ts";

const picture = Buffer.from([0, 255, 10, 13, 34, 39, 92, 200]);
const nameWithLineBreaks = "Zeile\u2028Ende\r\n🍺";

const app = await createTestApp({}, { onDisk: true });
const folder = createTemporaryFolder();
const file = join(folder, "evening.backup");

/**
 * Fills the source installation: Anna has a picture, two beers and a TV link; Ben has a beer with
 * an idempotency key, a reset link and a known device.
 */
beforeAll(async () => {
  const anna = await app.createMember("anna");
  await insertPicture(app.db, { id: "a-picture", user_id: 1, png: picture, created_at: 1 });
  await updateAvatar(app.db, 1, "a-picture");
  const ben = await app.createMember("ben");
  await anna.post("/api/beercounter/counters");
  await anna.post("/api/beercounter/counters");
  await ben.post("/api/beercounter/counters", undefined, { "idempotency-key": "at-the-bar" });
  await createResetLink(app.db, app.context, 2, "by mail");
  await app.db.insertInto("known_devices").values({ id: "hash", user_id: 2, last_login_at: 1 }).execute();
  await createLink(app.db, { name: "Theke", token_hash: "x", created_by: 1, created_at: 1, last_used_at: null });
  const gone = await insertUser(app.db, {
    uname: "gone",
    name: nameWithLineBreaks,
    email: "gone@stammtisch.example",
    permissions: [],
    password_hash: "",
    created_at: 1,
  });
  await app.db.deleteFrom("users").where("id", "=", gone).execute();
  await app.db.updateTable("users").set({ name: nameWithLineBreaks }).where("uname", "=", "ben").execute();
});

beforeEach(() => createBackup(app.config, file));

const createBackup = async (place: DataLocation, to: string, options = {}) =>
  (await runHostCommand(app, "backup", place, [to], options)).json;
const restore = async (place: DataLocation, from: string) => (await runHostCommand(app, "restore", place, [from])).json;

const read = (path: string) => gunzipSync(readFileSync(path)).toString().split("\n");

/**
 * Returns the rows of a backup file without header and checksum; sorted, because two backups may
 * order rows differently.
 */
const rowsIn = (path: string) => read(path).slice(1, -2).toSorted();

/** Returns the text of a changed backup with a valid checksum. */
function sign(lines: readonly string[]): string {
  const text = `${lines.slice(0, -2).join("\n")}\n`;
  return `${text}${JSON.stringify({ rows: {}, sha256: createHash("sha256").update(text).digest("hex") })}\n`;
}

async function isEmpty(place: DataLocation): Promise<boolean> {
  const database = openDatabase(place);
  const existing = await database.db.introspection.getTables();
  await database.close();
  return existing.length === 0;
}

test(
  "a backup restored to SQLite or PostgreSQL has all data but sessions, mails, login records, reset and TV links",
  { tags: "postgres" },
  async () => {
    // On PostgreSQL, the backup moves to SQLite and back; otherwise only to another SQLite database.
    const kinds: readonly DatabaseKind[] = databaseKind === "postgres" ? ["sqlite", "postgres"] : ["sqlite"];
    let from = file;
    for (const kind of kinds) {
      const place = await createEmptyLocation(kind);
      const restored = { bytes: statSync(from).size, beers: 3, users: 2 };
      expect(await restore(place, from)).toEqual(restored);
      const again = join(folder, `from-${kind}.backup`);
      await createBackup(place, again);
      expect(rowsIn(again)).toEqual(rowsIn(file));
      from = again;

      const { db, close } = openDatabase(place);
      for (const table of [
        "sessions",
        "known_devices",
        "reset_tokens",
        "tv_links",
        "outbox",
        "login_attempts",
        "account_events",
      ] as const)
        expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([]);
      const user = await db.selectFrom("users").select(["name", "avatar_id"]).orderBy("id").execute();
      expect(user.map(({ name }) => name)).toEqual(["Anna", nameWithLineBreaks]);
      const stored = await db.selectFrom("pictures").select("png").executeTakeFirstOrThrow();
      expect(Buffer.from(stored.png)).toEqual(picture);
      // The next id is 4, because a restore does not reuse the id 3 of a deleted user.
      const uname = { uname: "carla", name: "Carla", email: "carla@stammtisch.example", permissions: [] };
      expect(await insertUser(db, { ...uname, password_hash: "", created_at: 1 })).toBe(4);
      await close();
    }
  },
);

test(
  "after a restore, a member's password and counters and the idempotency key of a booked beer are still valid",
  { tags: "postgres" },
  async () => {
    const { dataDir, databaseUrl } = await createEmptyLocation();
    await restore({ dataDir, databaseUrl }, file);
    const restored = await app.reopen({ DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) });
    const ben = restored.createClient();
    expect((await ben.post("/api/login", { uname: "ben", password })).status).toBe(200);
    const again = await ben.post("/api/beercounter/counters", undefined, { "idempotency-key": "at-the-bar" });
    expect(again.json).toEqual({ KSKCounterVal: 3, userCounterVal: 1 });
    expect((await ben.post("/api/beercounter/counters")).json).toEqual({ KSKCounterVal: 4, userCounterVal: 2 });
  },
);

test("a restore revokes the invitations of the backup, because they may have been used after the backup", async () => {
  const { token } = await createInvitation(app.context, { permissions: ["admin"], days: 7, uses: 1, createdBy: 1 });
  await createBackup(app.config, file);
  const { dataDir, databaseUrl } = await createEmptyLocation();
  await restore({ dataDir, databaseUrl }, file);
  const restored = await app.reopen({ DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) });
  const form = { token, uname: "emil", name: "Emil", email: "emil@stammtisch.example" };
  const answer = await restored
    .createClient()
    .post("/api/register", { ...form, password, password_confirmation: password });
  expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ["token"]]);
  const [invitation] = await restored.db.selectFrom("invitations").select("revoked_at").execute();
  expect(invitation).toEqual({ revoked_at: app.clock.now() });
});

test("a backup file is readable only by its owner, and contains secrets only with the option --with-secrets", async () => {
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { appKey } = await loadSecrets(app.database, app.config.dataDir);
  expect(read(file).join("\n")).not.toContain(appKey);

  const withSecrets = join(folder, "with-secrets.backup");
  await createBackup(app.config, withSecrets, { "with-secrets": true });
  for (const [from, expected] of [
    [withSecrets, expect.toBeOneOf([appKey])],
    [file, expect.not.toBeOneOf([appKey])],
  ] as const) {
    const place = await createEmptyLocation();
    await restore(place, from);
    const database = openDatabase(place);
    expect((await loadSecrets(database, place.dataDir)).appKey).toEqual(expected);
    await database.close();
  }
});

test("a backup reports why its file cannot be written, and replaces a symbolic link instead of writing to the link's target", async () => {
  const elsewhere = join(folder, "elsewhere.txt");
  writeFileSync(elsewhere, "mine");
  for (const [nowhere, code] of [
    [join(folder, "nowhere/x.backup"), "ENOENT"],
    [join(elsewhere, "x.backup"), "ENOTDIR"],
  ] as const) {
    const why = `${nowhere} cannot be written by user ${process.getuid?.()} (${code}).`;
    await expect(createBackup(app.config, nowhere)).rejects.toThrow(why);
  }

  symlinkSync(elsewhere, join(folder, "link.backup"));
  await createBackup(app.config, join(folder, "link.backup"));
  expect(readFileSync(elsewhere, "utf8")).toBe("mine");
  expect(rowsIn(join(folder, "link.backup"))).toEqual(rowsIn(file));
  expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("a backup deletes unfinished backup files older than an hour and no other files", async () => {
  const place = createTemporaryFolder();
  const half = readFileSync(file).subarray(0, statSync(file).size / 2);
  const [cut, begun, young, foreign] = Array.from({ length: 4 }, () => `24.backup.${randomUUID()}.part`);
  const other = "letter.part";
  for (const [name, content, age] of [
    [cut!, half, hours(2)],
    [begun!, "", hours(2)],
    [young!, half, minutes(59)],
    [foreign!, "Prost!", hours(2)],
    [other, half, hours(2)],
  ] as const) {
    writeFileSync(join(place, name), content);
    const at = (app.clock.now() - age) / 1000;
    utimesSync(join(place, name), at, at);
  }
  await createBackup(app.config, join(place, "25.backup"));
  expect(readdirSync(place).toSorted()).toEqual(["25.backup", young!, foreign!, other].toSorted());
});

test("a backup overwrites only an earlier backup or an empty file", async () => {
  const taken = join(folder, "taken.backup");
  for (const before of [readFileSync(file), ""]) {
    writeFileSync(taken, before);
    await createBackup(app.config, taken);
    expect(rowsIn(taken)).toEqual(rowsIn(file));
  }
  for (const before of ["Prost!", gzipSync("Prost!\n"), gzipSync('{"stammtisch":"letter"}\n')]) {
    writeFileSync(taken, before);
    await expect(createBackup(app.config, taken)).rejects.toThrow(`${taken} exists and is not a backup of Stammtisch.`);
    expect(readFileSync(taken)).toEqual(Buffer.from(before));
  }
  for (const path of [folder, "/dev/null"])
    await expect(createBackup(app.config, path)).rejects.toThrow("is not a backup of Stammtisch. Nothing was written.");
});

test(
  "the command “restore” refuses damaged or changed backups, other files, and backups of a newer version",
  { timeout: 60_000 },
  async () => {
    const whole = readFileSync(file);
    const lines = read(file);
    const changed = lines.map((line) => line.replace('"at-the-bar"', '"at-the-pub"')).join("\n");
    const missing = lines.filter((line) => !line.includes('"at-the-bar"')).join("\n");
    const files: [what: string, bytes: Buffer | string, reason: string][] = [
      ["cut", whole.subarray(0, whole.length - 9), "is damaged or cut off"],
      ["cut in half", whole.subarray(0, whole.length / 2), "is damaged or cut off"],
      ["changed", gzipSync(changed), "is damaged or cut off"],
      ["shortened", gzipSync(missing), "is damaged or cut off"],
      ["without an end", gzipSync(lines.slice(0, -2).join("\n")), "is damaged or cut off"],
      ["something else", "Prost!", "is not a backup of Stammtisch"],
      ["nothing", "", "is not a backup of Stammtisch"],
      ["strange", gzipSync(sign(lines.map((line) => line.replace('"beers"', '"barrels"')))), "holds “barrels”"],
      [
        "newer",
        gzipSync(changed.replace("0001-members", "9999-future").replace(`"${version}"`, '"99.1.0"')),
        "written by version 99.1.0 of Stammtisch",
      ],
      [
        "newer, without its version",
        gzipSync(changed.replace("0001-members", "9999-future").replace(`"version":"${version}",`, "")),
        "written by a newer version of Stammtisch",
      ],
    ];
    const place = await createEmptyLocation();
    for (const [what, bytes, reason] of files) {
      writeFileSync(join(folder, "other.backup"), bytes);
      await expect(restore(place, join(folder, "other.backup")), what).rejects.toThrow(reason);
      expect(await isEmpty(place), what).toBe(true);
    }
    await expect(restore(place, join(folder, "nowhere.backup"))).rejects.toThrow(
      `cannot be read by user ${process.getuid?.()} (ENOENT). Nothing was restored.`,
    );
    expect(await restore(place, file)).toMatchObject({ beers: 3 });
  },
);

test(
  "the command “restore” refuses malformed rows with a one-line message and leaves the database empty",
  { tags: "postgres", timeout: 60_000 },
  async () => {
    const lines = read(file);
    const at = lines.findIndex((line) => line.startsWith("[") && line.includes('"at-the-bar"'));
    const cells = JSON.parse(lines[at]!) as unknown[];
    const withLine = (line: string) => sign(lines.with(at, line));
    const malformed: [what: string, text: string][] = [
      ["no JSON", withLine("[1,")],
      ["no row", withLine("17")],
      ["a cell too few", withLine(JSON.stringify(cells.slice(1)))],
      ["a cell too many", withLine(JSON.stringify([...cells, 1]))],
      ["true", withLine(JSON.stringify([true, ...cells.slice(1)]))],
      ["a list", withLine(JSON.stringify([[1], ...cells.slice(1)]))],
      ["an object", withLine(JSON.stringify([{ base64: 7 }, ...cells.slice(1)]))],
      ["an empty line", withLine("")],
      ["a row before the first table", sign([lines[0]!, lines[at]!, ...lines.slice(1)])],
    ];
    const nulls = JSON.stringify(cells.map(() => null));
    const place = await createEmptyLocation();
    const other = join(folder, "malformed.backup");
    const env = { DATA_DIR: place.dataDir, ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }) };
    for (const [what, text] of [...malformed, ["no value where one is needed", withLine(nulls)]]) {
      writeFileSync(other, gzipSync(text!));
      const { code, printed } = await runInProcess(["restore", other], env);
      expect([what, code, printed.match(/\n/g)?.length]).toEqual([what, 1, 1]);
      expect(printed, what).toMatch(
        /has a (malformed line, number \d+\.|row that the database refuses \(.+\)\.) Nothing was/,
      );
      expect(await isEmpty(place), what).toBe(true);
    }
  },
);

test("the command “restore” refuses a backup with a line over 64 MiB without reading the whole file", async () => {
  const mebibyte = 1_048_576;
  const place = await createEmptyLocation();
  const endless = join(folder, "endless.backup");
  const lines = read(file);
  const longHeader = JSON.stringify({ ...JSON.parse(lines[0]!), padding: "x".repeat(mebibyte) });
  writeFileSync(endless, gzipSync(sign([longHeader, ...lines.slice(1)]), { level: 1 }));
  await expect(restore(place, endless)).rejects.toThrow("is not a backup of Stammtisch.");
  await expect(createBackup(app.config, endless)).rejects.toThrow("is not a backup of Stammtisch.");

  // The line has one gigabyte: gunzip reads concatenated gzip members as one file.
  const part = gzipSync(Buffer.alloc(64 * mebibyte, "x"), { level: 1 });
  writeFileSync(endless, Buffer.concat([gzipSync(`${lines[0]}\n`), ...Array<Buffer>(16).fill(part)]));
  await expect(restore(place, endless)).rejects.toThrow("has a line of more than 64 MiB. Nothing was restored.");
  expect(await isEmpty(place)).toBe(true);
});

test("the command “restore” refuses an installation that is not empty and changes nothing", async () => {
  const before = rowsIn(file);
  await expect(restore(app.config, file)).rejects.toThrow("is not empty");
  const stranger = { dataDir: mkdtempSync(join(folder, "place-")), databaseUrl: null };
  writeFileSync(join(stranger.dataDir, "letters.txt"), "mine");
  await expect(restore(stranger, file)).rejects.toThrow("is not empty");
  const noFolder = { dataDir: join(stranger.dataDir, "letters.txt"), databaseUrl: null };
  await expect(restore(noFolder, file)).rejects.toThrow(`DATA_DIR: ${noFolder.dataDir} is not a writable folder.`);
  await createBackup(app.config, file);
  expect(rowsIn(file)).toEqual(before);
});

test(
  "the command “restore” migrates the backup of an older version and recounts the beers per day",
  { tags: "postgres" },
  async () => {
    const older = await createEmptyLocation();
    const { db, kind, close } = openDatabase(older);
    const olderNames = listPendingMigrations([]).slice(0, 8);
    await db.transaction().execute(async (tx) => migrateInTransaction(tx, kind, 1, olderNames));
    // The current table types do not describe the tables of the older version.
    const old = db as unknown as Kysely<Record<string, Record<string, unknown>>>;
    const anna = { uname: "anna", uname_key: "anna", name: "Anna", email: "anna@stammtisch.example" };
    await old
      .insertInto("users")
      .values({
        ...anna,
        email_key: anna.email,
        password_hash: await hashPassword(password),
        permissions: "[]",
        created_at: 1,
      })
      .execute();
    await old
      .insertInto("beers")
      .values({ user_id: 1, key: null, at: app.clock.now(), group_total: 1, own_total: 1 })
      .execute();
    const today = localDay(app.clock.now(), app.config.timeZone);
    await old.insertInto("beer_members").values({ user_id: 1, total: 1 }).execute();
    await old.insertInto("beer_days").values({ day: today, total: 1 }).execute();
    await old.updateTable("beer_group").set({ total: 1, first_day: today }).execute();
    await old.insertInto("settings").values({ key: "time-zone", value: app.config.timeZone }).execute();
    const server = {
      display_name: "CS",
      driver: "script",
      ref: "/srv/cs.sh",
      query: "none",
      position: 1,
      created_at: 1,
    };
    await old.insertInto("game_servers").values(server).execute();
    await close();
    await createBackup(older, file);

    const { dataDir, databaseUrl } = await createEmptyLocation();
    expect(await restore({ dataDir, databaseUrl }, file)).toMatchObject({
      beers: 1,
      users: 1,
      inactive_game_servers: [{ id: 1, display_name: "CS", driver: "script" }],
    });
    const restored = await app.reopen({ DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) });
    expect(await listAppliedMigrations(restored.db)).toEqual(await listAppliedMigrations(app.db));
    const client = restored.createClient();
    await client.post("/api/login", { uname: "anna", password });
    const { thisWeek, allWeeks } = (await client.get("/api/beercounter/stats/timely")).json;
    expect(thisWeek).toEqual(expect.arrayContaining([1]));
    expect(allWeeks).toEqual(thisWeek);
  },
);
