import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { configSchema } from "#server/config-schema.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";
import type { Client } from "#test/client.ts";
import { runInProcess } from "#test/command-line.ts";
import { subscribeToChannel, subscribeToUser } from "./channel-socket.ts";
import {
  createServerProcess,
  startServerProcess,
  password,
  registerMember,
  runCommand,
  type ServerProcess,
} from "./server-process.ts";

const counters = "/api/beercounter/counters";
const execute = promisify(execFile);

describe("commands beside the running server", () => {
  let server: ServerProcess;
  let anna: Client;
  let bert: Client;

  beforeAll(async () => {
    server = await startServerProcess();
    const { token } = await server.call("invite", "create", "--permission", "admin");
    anna = await registerMember(server, "anna", token);
    [bert] = (await server.createMembers("bert")) as [Client];
  });

  afterAll(async () => server[Symbol.asyncDispose]());

  const auditEntries = async () => (await anna.get("/api/admin/audit")).json.entries;

  test("the command “user disable” refuses the member's next request and closes only that member's sockets", async () => {
    const [ida] = (await server.createMembers("ida")) as [Client];
    const [hers, his] = [await subscribeToChannel(server, ida), await subscribeToChannel(server, bert)];
    const disabled = await server.run("user", "disable", "ida", "--json");
    expect(disabled.json).toEqual({ uname: "ida", disabled: true });
    expect((await ida.get(counters)).status).toBe(401);
    expect((await hers.closed).code).toBe(4009);
    expect(his.webSocket.readyState).toBe(his.webSocket.OPEN);
    expect((await server.createClient().post("/api/login", { uname: "ida", password })).status).toBe(422);
    his.close();

    expect(await server.call("user", "enable", "ida")).toEqual({ uname: "ida", disabled: false });
    expect((await ida.get(counters)).status, "the old session stays ended").toBe(401);
    expect((await server.createClient().post("/api/login", { uname: "ida", password })).status).toBe(200);
  });

  test("the commands “user grant” and “user revoke” apply to the member's next request, and notify open pages", async () => {
    const page = await subscribeToUser(server, bert);
    const rights = async () => (await bert.get("/api/checkLoginStatus")).json.user.permissions;
    expect(await rights()).toEqual([]);
    const granted = await server.call("user", "grant", "bert", "see-game-servers");
    expect(granted).toEqual({ uname: "bert", permissions: ["see-game-servers"] });
    expect(await rights()).toEqual(["see-game-servers"]);
    await expect.poll(() => page.events).toHaveLength(1);
    expect((await server.call("user", "revoke", "bert", "see-game-servers")).permissions).toEqual([]);
    expect(await rights()).toEqual([]);
  });

  test("the command “beers import” skips known idempotency keys, and open pages receive the new total", async () => {
    await bert.post(counters, undefined, { "idempotency-key": "tapped-at-the-bar" });
    const socket = await subscribeToChannel(server, bert);
    const folder = createTemporaryFolder();
    const file = join(folder, "beers.jsonl");
    const at = "2026-11-20T19:30:00Z";
    const beers = [
      { uname: "bert", at, key: "tapped-at-the-bar" },
      { uname: "bert", at, key: "from-the-old-list" },
      { uname: "bert", at, key: "from-the-old-list" },
      { uname: "anna", at, key: null },
    ];
    const windowsByteOrderMark = "\uFEFF";
    writeFileSync(file, windowsByteOrderMark + beers.map((beer) => JSON.stringify(beer)).join("\n"));
    expect(await server.call("beers", "import", file)).toEqual({ imported: 2, skipped: 2 });
    await expect.poll(() => socket.events.at(-1)?.data).toMatchObject({ counterVal: 3, userId: null });
    expect((await bert.get(counters)).json).toEqual({ KSKCounterVal: 3, userCounterVal: 2 });
    socket.close();

    const exported = await server.call("beers", "export");
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const id = expect.any(Number);
    expect(exported).toEqual([
      { id, uname: "bert", at: "2026-11-20T19:30:00.000Z", key: "from-the-old-list" },
      { id, uname: "anna", at: "2026-11-20T19:30:00.000Z", key: null },
      { id, uname: "bert", at: moment, key: "tapped-at-the-bar" },
    ]);
  });

  test("the command “invite create” makes invitations that are valid at once, for the given number of uses", async () => {
    const made = await server.call("invite", "create", "--permission", "admin", "--days", "2", "--uses", "2");
    const { token, url, expires_at } = made;
    expect(Object.keys(made).toSorted()).toEqual(["expires_at", "token", "url"]);
    expect(url).toBe(`http://localhost:${server.port}/register#token=${token}`);
    const days = (Date.parse(expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(1.99);
    expect(days).toBeLessThan(2);
    const carla = await registerMember(server, "carla", token);
    expect((await carla.get("/api/checkLoginStatus")).json.user.permissions).toEqual(["admin"]);
    await registerMember(server, "dora", token);
    await expect(registerMember(server, "emil", token)).rejects.toThrow("ungültig");
  });

  test("the command “user list” prints all fields of every member", async () => {
    const users = await server.call("user", "list");
    expect(users[1]).toEqual({
      id: expect.any(Number),
      uname: "bert",
      name: "bert",
      email: "bert@stammtisch.example",
      permissions: [],
      disabled: false,
      beers: 2,
    });
  });

  test("commands appear in the audit log immediately, without an actor and without secrets", async () => {
    const before = await auditEntries();
    const secrets: string[] = [];
    await server.call("user", "grant", "bert", "see-game-servers");
    const link = await server.call("user", "reset-link", "bert");
    expect(Math.round((Date.parse(link.expires_at) - Date.now()) / 60_000)).toBe(4 * 60);
    secrets.push(link.url.split("=")[1]);
    await server.call("user", "disable", "bert");
    await server.call("user", "enable", "bert");
    await server.call("user", "revoke", "bert", "see-game-servers");
    secrets.push((await server.call("invite", "create", "--days", "1")).token);
    await server.call("user", "list");

    const added = (await auditEntries()).slice(0, -before.length);
    expect(added.map(({ text }: { text: string }) => text)).toEqual([
      expect.stringMatching(/^Einladung \d+ erstellt \(1 Tag, 1 Person\)\.$/),
      "Rechte geändert: − Game-Server sehen.",
      "Account entsperrt.",
      "Account gesperrt.",
      "Link für ein neues Passwort erstellt.",
      "Rechte geändert: + Game-Server sehen.",
    ]);
    for (const line of added) expect([line.via, line.actor]).toEqual(["command", null]);
    for (const line of added.slice(1)) expect(line.member.name).toBe("bert");
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(25);
      expect(JSON.stringify(added) + server.output.out + server.output.errors).not.toContain(secret);
    }
  });

  const refusals: [line: string, code: number][] = [
    ["", 2],
    ["drink", 2],
    ["user", 2],
    ["user disable", 2],
    ["user disable bert anna", 2],
    ["user delete bert", 2],
    ["user grant bert", 2],
    ["user grant bert flying", 2],
    ["user grant bert admin root", 2],
    ["user reset-link", 2],
    ["user reset-link bert --password Kellerbier-im-Schrank", 2],
    ["invite", 2],
    ["invite create bert", 2],
    ["invite create --days", 2],
    ["invite create --days 0", 2],
    ["invite create --days 31", 2],
    ["invite create --days never", 2],
    ["invite create --uses 1001", 2],
    ["beers export --color", 2],
    ["serve now", 2],
    ["user disable nobody", 1],
    ["user disable a\u001b[31m", 1],
    ["user disable ';drop/**/table/**/users;--", 1],
    ["user grant nobody admin", 1],
    ["user revoke nobody admin", 1],
    ["user reset-link nobody", 1],
    ["beers import /nowhere/at/all", 1],
    ["import /nowhere/at/all --format csv", 1],
    ["import /nowhere/at/all", 2],
    ["demo", 1],
  ];

  test("an invalid command exits with 1 or 2, explains itself in one line, and changes nothing", async () => {
    const members = async () => (await anna.get("/api/admin/members")).json;
    const before = [await auditEntries(), await members()];
    for (const [line, expected] of refusals) {
      const { code, printed } = await runInProcess(line.split(" ").filter(Boolean), server.env);
      expect([line, code]).toEqual([line, expected]);
      if (line !== "") expect(printed).toMatch(/^[^\n\p{Cc}]+\n$/u);
      expect(printed).not.toContain("Kellerbier");
    }
    expect([await auditEntries(), await members()]).toEqual(before);
  });

  test("the command “help” and the option --help list all commands of the app", async () => {
    const help = await runInProcess(["help"]);
    expect([help.code, await runInProcess(["user", "grant", "--help"])]).toEqual([0, help]);
    const names = ["list", "grant", "revoke", "disable", "enable", "reset-link"].map((name) => `user ${name}`);
    for (const name of ["serve", "invite create", ...names, "migrate"]) expect(help.printed).toContain(`  ${name} `);
  });

  test("the command “help” tells each variable with its meaning in words and its default", async () => {
    const { printed } = await runInProcess(["help"]);
    for (const name of Object.keys(configSchema.shape)) {
      const [, meaning] = new RegExp(`^  ${name} {2,}(\\S.*) \\(.+\\)$`, "m").exec(printed) ?? [];
      expect(meaning, name).toMatch(/^(?!.* e\.g$)\S+ \S+/);
    }
  });

  test("a command ends without an error when the program that reads its output stops early", async () => {
    const line = "set -o pipefail; bin/stammtisch openapi | head -c 1";
    const { stdout, stderr } = await execute("bash", ["-c", line], { env: { ...process.env, ...server.env } });
    expect([stdout, stderr]).toEqual(["{", ""]);
  });

  test("every command, not only “serve”, refuses a broken configuration", async () => {
    const { code, errors } = await runCommand(["user", "list"], { ...server.env, PORT: "many" });
    expect([code, errors]).toEqual([78, expect.stringContaining("PORT")]);
  });
});

test("the command “demo” fills an empty installation and prints how to log in", async () => {
  await using server = await createServerProcess();
  const { beers, members } = await server.call("demo", "--beers", "200");
  expect(beers).toBe(200);
  expect(members).toHaveLength(8);
  await server.start();
  const { uname, password: told } = members[0];
  const client = server.createClient();
  expect((await client.post("/api/login", { uname, password: told })).status).toBe(200);
  expect((await client.get(counters)).json.KSKCounterVal).toBe(200);
});

test("the command “beers export” prints any number of beers, as one JSON document or one line per beer", async () => {
  await using server = await createServerProcess();
  await server.call("migrate");
  expect([await server.call("beers", "export"), (await server.run("beers", "export")).out]).toEqual([[], ""]);
  await server.call("demo", "--beers", "2500");
  const beers: { at: string; uname: string; key: string | null }[] = await server.call("beers", "export");
  expect(beers).toHaveLength(2500);
  const lines = beers.map(({ at, uname, key }) => `${at}\t${uname}\t${key ?? ""}\n`);
  expect((await server.run("beers", "export")).out).toBe(lines.join(""));
});
