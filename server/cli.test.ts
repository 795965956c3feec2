import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { runInProcess } from "#test/command-line.ts";
import { createDatabase, dropDatabase } from "#test/database.ts";
import { commands } from "./cli.ts";
import { hasTables } from "./db/backup-tables.ts";
import { openDatabase, withDatabase } from "./db/connect.ts";
import { insertUser } from "./features/members/store.ts";
import { generateSecrets } from "./platform/security/secrets.ts";

const isOnPostgres = process.env["TEST_DATABASE"] === "postgres";

let folder: string;
let dataDir: string;
let databaseUrl: string | null;

beforeEach(async () => {
  folder = createTemporaryFolder();
  dataDir = join(folder, "data");
  databaseUrl = isOnPostgres ? await createDatabase() : null;
  vi.stubEnv("DATA_DIR", dataDir);
  if (databaseUrl) vi.stubEnv("DATABASE_URL", databaseUrl.replace("postgres@", "postgres:hunter2@"));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  if (databaseUrl) await dropDatabase(databaseUrl);
});

/** Returns the command's name followed by the minimum number of arguments. */
function typicalArgs({ name, argCount }: (typeof commands)[number]): string[] {
  const given = { backup: [join(folder, "x.backup")], "secrets rotate": ["app-key"] }[name];
  return [...name.split(" "), ...(given ?? Array<string>(argCount?.min ?? 0).fill("x"))];
}

/**
 * Returns `true` if the database has at least one table. Opening a missing database creates an
 * empty one.
 */
async function isFilled(): Promise<boolean> {
  const database = openDatabase({ databaseUrl, dataDir });
  try {
    return await hasTables(database.db);
  } finally {
    await database.close();
  }
}

const creatingCommands = new Set(["beers import", "demo", "migrate", "restore"]);
const otherCommands = commands.filter(
  ({ name, ignoresDataDirectory }) => !creatingCommands.has(name) && !ignoresDataDirectory,
);

test.for(otherCommands.map((command) => [command.name, command] as const))(
  "the command “%s” creates no database; its error names the place where it looked for one, without the password",
  async ([, command]) => {
    const { code, printed } = await runInProcess(typicalArgs(command));
    const place = databaseUrl ? databaseUrl.replace("postgres@", "***@") : dataDir;
    expect(code).toBe(1);
    expect(printed).toContain(`There is no database of Stammtisch in ${place}. Set DATA_DIR or DATABASE_URL to`);
    expect(printed).toContain("STAMMTISCH_ENV_FILE");
    expect(printed).not.toContain("hunter2");
    expect(existsSync(dataDir)).toBe(false);
    expect(await isFilled()).toBe(false);
  },
);

test("commands treat an SQLite file without tables as a missing database", { tags: "sqlite-only" }, async () => {
  await runInProcess(["migrate"]);
  for (const end of ["", "-wal", "-shm"]) rmSync(join(dataDir, `stammtisch.db${end}`), { force: true });
  writeFileSync(join(dataDir, "stammtisch.db"), "");
  for (const command of otherCommands) {
    const { code, printed } = await runInProcess(typicalArgs(command));
    expect([code, printed], command.name).toEqual([1, expect.stringContaining("There is no database")]);
    expect(await isFilled(), command.name).toBe(false);
  }
});

test.each([...creatingCommands].filter((name) => name !== "restore"))(
  "the command “%s” creates no database in a data folder that has secrets.json, but a missing or empty database",
  { tags: "sqlite-only" },
  async (name) => {
    await runInProcess(["migrate"]);
    rmSync(join(dataDir, "stammtisch.db"));
    for (const content of [undefined, ""]) {
      if (content !== undefined) writeFileSync(join(dataDir, "stammtisch.db"), content);
      writeFileSync(join(dataDir, "secrets.json"), JSON.stringify(generateSecrets()), { mode: 0o600 });
      const { code, printed } = await runInProcess(typicalArgs(commands.find((command) => command.name === name)!));
      expect([code, printed]).toEqual([1, expect.stringContaining("holds secrets.json, but no database.")]);
      expect(existsSync(join(dataDir, "stammtisch.db"))).toBe(content !== undefined);
    }
    expect(await isFilled()).toBe(false);
  },
);

test.each([
  ["beers", /^There are: beers .+, beers .+\.$/],
  ["calendar open", /^There are: calendar .+, calendar .+\.$/],
  ["beer", /^See: stammtisch help$/],
])("rejects the unknown command “%s” and suggests commands that begin with the same word", async (typed, hint) => {
  const { code, printed } = await runInProcess(typed.split(" "));
  const [before, after, ...others] = printed.trimEnd().split(`Unknown command “${typed}”. `);
  expect([code, before, others]).toEqual([2, "", []]);
  expect(after).toMatch(hint);
});

test.each([
  ["127.0.0.1:1/x", "connect ECONNREFUSED 127.0.0.1:1"],
  ["localhost:1/x", "ECONNREFUSED"],
  // Matches EAI_AGAIN and ENOTFOUND; the code depends on the machine's name server.
  ["nowhere.invalid/x", "getaddrinfo E"],
])("commands name DATABASE_URL in their error if PostgreSQL does not answer at %s", async (place, why) => {
  const env = { DATABASE_URL: `postgres://anna:hunter2@${place}` };
  for (const line of ["user list", "doctor"]) {
    const { code, printed } = await runInProcess(line.split(" "), env);
    expect([code, printed]).toEqual([1, expect.stringContaining("DATABASE_URL: PostgreSQL cannot be used")]);
    expect(printed).toContain(why);
    expect(printed).not.toContain("hunter2");
  }
});

test("the command “migrate” creates a database, and “backup” refuses to back up a database without members", async () => {
  expect((await runInProcess(["migrate"])).code).toBe(0);
  expect(await isFilled()).toBe(true);
  const file = join(folder, "night.backup");
  const good = gzipSync('{"stammtisch":"backup","format":1,"at":"","migrations":[]}\n');
  writeFileSync(file, good);
  const { code, printed } = await runInProcess(["backup", file]);
  expect([code, printed]).toEqual([1, expect.stringMatching(/^There is nothing to back up in \S+: it has no members/)]);
  expect(printed).not.toContain("hunter2");
  expect(readFileSync(file)).toEqual(good);
});

test("a command that changes a member's access makes the hosted realtime service close the sockets, or leaves that to the server", async () => {
  const paths: string[] = [];
  let status = 200;
  const service = createServer((request, response) => {
    paths.push(request.url!.split("?", 1)[0]!);
    response.writeHead(status).end("{}");
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const { port } = service.address() as AddressInfo;
  vi.stubEnv("REALTIME_URL", `pusher://key:secret@127.0.0.1:${port}/3`);
  await runInProcess(["migrate"]);
  const ben = {
    uname: "ben",
    name: "Ben",
    email: "ben@example.org",
    permissions: [],
    password_hash: "x",
    created_at: 0,
  };
  const id = await withDatabase({ databaseUrl, dataDir }, ({ db }) => insertUser(db, ben));
  for (const line of ["user list", "user revoke ben admin", "user disable ben"])
    expect((await runInProcess(line.split(" "))).code).toBe(0);
  expect(paths).toEqual(Array(2).fill(`/apps/3/users/${id}/terminate_connections`));
  status = 500;
  expect((await runInProcess(["user", "enable", "ben"])).code).toBe(0);
  const left = await withDatabase({ databaseUrl, dataDir }, ({ db }) =>
    db.selectFrom("socket_ends").select("user_id").execute(),
  );
  expect(left).toEqual([{ user_id: id }]);
  service.closeAllConnections();
  service.close();
});
