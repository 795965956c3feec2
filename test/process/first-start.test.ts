import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import {
  firstInvitation,
  createServerProcess,
  password,
  type ServerProcess,
  startServerProcess,
  registerMember,
} from "./server-process.ts";

let server: ServerProcess;

beforeAll(async () => {
  server = await startServerProcess();
});

afterAll(() => server[Symbol.asyncDispose]());

const pathOf = (file: string) => join(server.dataDir, file);
const isReady = async () => (await server.createClient().get("/readyz")).status === 200;

async function stop(): Promise<void> {
  server.signal("SIGTERM");
  await server.exited();
}

test("a second server on the same data directory refuses to start until the first server has been killed", async () => {
  const refused = await server.run("serve");
  expect(refused.code).toBe(1);
  expect(refused.errors.trim().split("\n")).toEqual([expect.stringContaining("DATA_DIR")]);
  expect(await isReady(), "the first one goes on").toBe(true);
  await server.kill();
  await server.start();
  expect(await isReady()).toBe(true);
});

test("every start on an empty data directory prints the same invitation link until the first administrator has used the link", async () => {
  const file = pathOf("first-invitation.txt");
  const link = readFileSync(file, "utf8").trim();
  expect(link).toMatch(new RegExp(`^http://localhost:${server.port}/register#token=[0-9A-Z-]{30}$`));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(pathOf("secrets.json")).mode & 0o077).toBe(0);
  for (let start = 0; start < 2; start += 1) {
    if (start > 0) {
      await server.kill();
      await server.start();
    }
    await expect.poll(() => server.output.out).toMatch(/\n$/);
    const lines = server.output.out.trim().split("\n");
    expect(lines).toEqual([expect.stringContaining(link)]);
  }

  const admin = await registerMember(server, "anna", firstInvitation(server));
  expect((await admin.get("/api/checkLoginStatus")).json.user.permissions).toContain("admin");
  await server.kill();
  await server.start();
  await stop();
  expect(server.output.out, "nobody is invited a second time").toBe("");
});

test("a server with secrets but no database, or with damaged secrets, exits with 78, after which systemd does not restart it", async () => {
  const backup = join(createTemporaryFolder(), "evening.backup");
  await server.call("backup", backup);
  const [file, secrets] = [pathOf("stammtisch.db"), pathOf("secrets.json")];
  const before = readFileSync(secrets, "utf8");
  rmSync(file);
  const lost = await server.run("serve");
  expect([lost.code, lost.errors]).toEqual([
    78,
    `DATA_DIR: ${server.dataDir} holds secrets.json, but no database. Is its disk mounted? Mount it, or restore the last backup into an empty DATA_DIR: stammtisch restore FILE. To start without the earlier data, delete ${secrets}.\n`,
  ]);
  expect([existsSync(file), readFileSync(secrets, "utf8")]).toEqual([false, before]);
  const unit = readFileSync(join(import.meta.dirname, "../../deploy/stammtisch.service"), "utf8");
  expect(unit).toContain("\nRestartPreventExitStatus=78\n");

  // The first solution that the message names.
  for (const name of readdirSync(server.dataDir)) if (name !== "secrets.json") rmSync(pathOf(name));
  expect(await server.call("restore", backup)).toMatchObject({ users: 1 });
  await server.start();
  const login = await server.createClient().post("/api/login", { uname: "anna", password });
  expect(login.status).toBe(200);
  await server.kill();

  writeFileSync(secrets, "{}");
  const damaged = await server.run("serve");
  expect([damaged.code, damaged.errors]).toEqual([78, expect.stringMatching(/^DATA_DIR: .* is damaged\..*\n$/)]);
});

test("a first start succeeds after the secrets were deleted, and if an earlier start was killed while creating the database or the secrets", async () => {
  rmSync(pathOf("secrets.json"));
  writeFileSync(pathOf("stammtisch.db"), "");
  for (const end of ["-wal", "-shm"]) rmSync(pathOf(`stammtisch.db${end}`), { force: true });
  await server.start();
  await expect.poll(() => server.output.out).toContain("/register#token=");
  await server.kill();
  rmSync(pathOf("secrets.json"));
  await server.start();
  expect(await isReady()).toBe(true);
});

test("a server whose port is taken exits, although it has already opened its database", async () => {
  await using late = await createServerProcess({ database: "postgres" });
  const other = createServer().listen(late.port, "127.0.0.1");
  await once(other, "listening");
  const refused = await late.run("serve");
  expect([refused.code, refused.errors]).toEqual([1, expect.stringMatching(/^PORT: another program .*\n$/)]);
  other.close();
});
