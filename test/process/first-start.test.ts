import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import {
  firstInvitation,
  createServerProcess,
  password,
  type ServerProcess,
  startServerProcess,
  runCommand,
  registerMember,
} from "./server-process.ts";

test("every start on an empty data directory prints the same invitation link until the first administrator has used the link", async () => {
  await using server = await startServerProcess();
  await expect.poll(() => server.output.out).toMatch(/\n$/);
  const lines = server.output.out.trim().split("\n");
  const file = join(server.dataDir, "first-invitation.txt");
  const link = readFileSync(file, "utf8").trim();

  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(link);
  expect(link).toMatch(new RegExp(`^http://localhost:${server.port}/register#token=[0-9A-Z-]{30}$`));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(server.dataDir, "secrets.json")).mode & 0o077).toBe(0);

  await server.kill();
  await server.start();
  await expect.poll(() => server.output.out).toContain(link);
  const admin = await registerMember(server, "anna", firstInvitation(server));
  expect((await admin.get("/api/checkLoginStatus")).json.user.permissions).toContain("admin");
  await server.kill();
  await server.start();
  server.signal("SIGTERM");
  await server.exited();
  expect(server.output.out, "nobody is invited a second time").toBe("");
});

test("a start logs once that only this machine can open the links, unless APP_URL is a public address", async () => {
  await using server = await startServerProcess({ env: { LOG_LEVEL: "info" } });
  const warnings = () => server.output.errors.split("\n").filter((line) => line.includes('"links-are-local"'));
  await expect.poll(warnings).toEqual([expect.stringContaining(`http://localhost:${server.port}`)]);
  expect(warnings()[0]).toContain("Set APP_URL");
  await server.kill();
  server.env["APP_URL"] = "https://stammtisch.example";
  await server.start();
  await expect.poll(() => server.output.errors).toContain('"listening"');
  expect(warnings()).toEqual([]);
});

test("a second server on the same data directory refuses to start until the first server has been killed", async () => {
  await using server = await startServerProcess();
  await using second = await createServerProcess({ sharedWith: server });
  const refused = await runCommand(["serve"], second.env);
  expect(refused.code).toBe(1);
  expect(refused.errors.trim().split("\n")).toEqual([expect.stringContaining("DATA_DIR")]);
  expect((await server.createClient().get("/readyz")).status, "the first one goes on").toBe(200);

  await server.kill();
  await second.start();
  expect((await second.createClient().get("/readyz")).status).toBe(200);
});

test("a server with damaged secrets exits with 78, after which systemd does not restart it", async () => {
  await using server = await createServerProcess();
  await server.start();
  await server.kill();
  writeFileSync(join(server.dataDir, "secrets.json"), "{}");
  const refused = await server.run("serve");
  expect([refused.code, refused.errors]).toEqual([78, expect.stringMatching(/^DATA_DIR: .* is damaged\..*\n$/)]);
  const unit = readFileSync(join(import.meta.dirname, "../../deploy/stammtisch.service"), "utf8");
  expect(unit).toContain("\nRestartPreventExitStatus=78\n");
});

test("a server with secrets but no database exits with 78 and names two solutions that work", async () => {
  await using server = await startServerProcess();
  await server.createMembers("anna");
  const backup = join(createTemporaryFolder(), "evening.backup");
  await server.call("backup", backup);
  await stop(server);
  const file = join(server.dataDir, "stammtisch.db");
  const secrets = join(server.dataDir, "secrets.json");
  const before = readFileSync(secrets, "utf8");
  rmSync(file);
  const refused = await server.run("serve");
  expect([refused.code, refused.errors]).toEqual([
    78,
    `DATA_DIR: ${server.dataDir} holds secrets.json, but no database. Is its disk mounted? Mount it, or restore the last backup into an empty DATA_DIR: stammtisch restore FILE. To start without the earlier data, delete ${secrets}.\n`,
  ]);
  expect([existsSync(file), readFileSync(secrets, "utf8")]).toEqual([false, before]);

  for (const name of readdirSync(server.dataDir)) if (name !== "secrets.json") rmSync(join(server.dataDir, name));
  expect(await server.call("restore", backup)).toMatchObject({ users: 1 });
  await server.start();
  const login = await server.createClient().post("/api/login", { uname: "anna", password });
  expect(login.status).toBe(200);
  await stop(server);
  rmSync(file);
  rmSync(secrets);
  await server.start();
  await expect.poll(() => server.output.out).toContain("/register#token=");
});

test("a first start succeeds if an earlier one was killed while creating the database or the secrets", async () => {
  await using server = await createServerProcess();
  writeFileSync(join(server.dataDir, "stammtisch.db"), "");
  await server.start();
  await server.kill();
  rmSync(join(server.dataDir, "secrets.json"));
  await server.start();
  expect((await server.createClient().get("/readyz")).status).toBe(200);
});

async function stop(server: ServerProcess): Promise<void> {
  server.signal("SIGTERM");
  await server.exited();
}

test("a server whose port is taken exits, although it has already opened its database", async () => {
  await using server = await createServerProcess({ database: "postgres" });
  const other = createServer().listen(server.port, "127.0.0.1");
  await once(other, "listening");
  const refused = await server.run("serve");
  expect([refused.code, refused.errors]).toEqual([1, expect.stringMatching(/^PORT: another program .*\n$/)]);
  other.close();
});
