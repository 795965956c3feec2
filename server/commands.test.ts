// Runs command lines as a second program on the data of a running app. Commands without data are tested in cli.test.ts.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { beforeEach, expect, test, vi } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import type { Client } from "#test/client.ts";
import { runInProcess } from "#test/command-line.ts";
import { connectPage } from "#test/socket-client.ts";
import { createTestApp, fridayEvening, password } from "#test/test-app.ts";
import { commands } from "./cli.ts";
import { configSchema } from "./config-schema.ts";

const counters = "/api/beercounter/counters";
const app = await createTestApp({}, { onDisk: true });
const env = { DATA_DIR: app.config.dataDir, APP_URL: app.config.appUrl.origin };
const [anna, bert] = [await app.createMember("anna"), await app.createMember("bert")];

// The commands use the system's clock, which must agree with that of the app.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: fridayEvening }));

/** Runs a command that must succeed, and returns the parsed output of `--json`. */
async function call(line: string, ...more: string[]) {
  const { code, printed } = await runInProcess([...line.split(" "), ...more, "--json"], env);
  expect([line, code, printed]).toEqual([line, 0, expect.any(String)]);
  return JSON.parse(printed);
}

const logIn = async (uname: string) => (await app.createClient().post("/api/login", { uname, password })).status;
const rightsOf = async (member: Client) => (await member.get("/api/checkLoginStatus")).json.user.permissions;
const auditEntries = async () => (await anna.get("/api/admin/audit")).json.entries;

test("the command “user disable” refuses the member's next request and closes only that member's sockets", async () => {
  const ida = await app.createMember("ida");
  const [hers, his] = [await connectPage(app, ida), await connectPage(app, bert)];
  expect(await call("user disable ida")).toEqual({ uname: "ida", disabled: true });
  expect((await ida.get(counters)).status).toBe(401);
  expect(await hers.closed).toBe(4009);
  await his.flush();
  expect(await logIn("ida")).toBe(422);

  expect(await call("user enable ida")).toEqual({ uname: "ida", disabled: false });
  expect((await ida.get(counters)).status, "the old session stays ended").toBe(401);
  expect(await logIn("ida")).toBe(200);
});

test("the commands “user grant” and “user revoke” apply to the member's next request, and notify open pages", async () => {
  const page = await connectPage(app, bert);
  expect(await rightsOf(bert)).toEqual([]);
  const granted = await call("user grant bert see-game-servers");
  expect(granted).toEqual({ uname: "bert", permissions: ["see-game-servers"] });
  expect(await rightsOf(bert)).toEqual(["see-game-servers"]);
  await page.next("member-changed");
  expect((await call("user revoke bert see-game-servers")).permissions).toEqual([]);
  expect(await rightsOf(bert)).toEqual([]);
});

test("the command “beers import” skips known idempotency keys, and open pages receive the new total", async () => {
  await bert.post(counters, undefined, { "idempotency-key": "tapped-at-the-bar" });
  const page = await connectPage(app, bert);
  const file = join(createTemporaryFolder(), "beers.jsonl");
  const at = "2026-11-20T18:30:00.000Z";
  const beers = [
    { uname: "bert", at, key: "tapped-at-the-bar" },
    { uname: "bert", at, key: "from-the-old-list" },
    { uname: "bert", at, key: "from-the-old-list" },
    { uname: "anna", at, key: null },
  ];
  const windowsByteOrderMark = "\uFEFF";
  writeFileSync(file, windowsByteOrderMark + beers.map((beer) => JSON.stringify(beer)).join("\n"));
  expect(await call("beers import", file)).toEqual({ imported: 2, skipped: 2 });
  const updates = () => page.messages.filter(({ event }) => event === "updated").map(({ data }) => data);
  await expect.poll(() => updates().at(-1)).toMatchObject({ counterVal: 3, userId: null });
  expect((await bert.get(counters)).json).toEqual({ KSKCounterVal: 3, userCounterVal: 2 });
  const id = expect.any(Number);
  expect(await call("beers export")).toEqual([
    { id, uname: "bert", at, key: "from-the-old-list" },
    { id, uname: "anna", at, key: null },
    { id, uname: "bert", at: new Date(fridayEvening).toISOString(), key: "tapped-at-the-bar" },
  ]);
  expect((await call("user list"))[1], "all fields of a member").toEqual({
    id,
    uname: "bert",
    name: "bert",
    email: "bert@stammtisch.example",
    permissions: [],
    disabled: false,
    beers: 2,
  });
});

test("the command “invite create” makes invitations that are valid at once, for the given number of uses", async () => {
  const { token, ...made } = await call("invite create --permission admin --days 2 --uses 2");
  const expires_at = new Date(fridayEvening + 2 * 86_400_000).toISOString();
  expect(made).toEqual({ url: `http://localhost:3000/register#token=${token}`, expires_at });
  const register = async (uname: string) => {
    const form = { token, uname, name: uname, email: `${uname}@stammtisch.example` };
    const client = app.createClient();
    return (await client.post("/api/register", { ...form, password, password_confirmation: password })).status;
  };
  expect([await register("carla"), await register("dora"), await register("emil")]).toEqual([201, 201, 422]);
  const carla = app.createClient();
  await carla.post("/api/login", { uname: "carla", password });
  expect(await rightsOf(carla)).toEqual(["admin"]);
});

test("commands appear in the audit log immediately, without an actor and without secrets", async () => {
  const before = await auditEntries();
  await call("user grant bert see-game-servers");
  const link = await call("user reset-link bert");
  expect(link.expires_at).toBe(new Date(fridayEvening + 4 * 3_600_000).toISOString());
  await call("user disable bert");
  await call("user enable bert");
  await call("user revoke bert see-game-servers");
  const { token } = await call("invite create --days 1");
  await call("user list");

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
  for (const secret of [link.url.split("=")[1], token]) {
    expect(secret.length).toBeGreaterThan(25);
    expect(JSON.stringify([added, app.logLines])).not.toContain(secret);
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
  const rows = async () => {
    const all = [];
    for (const table of ["users", "sessions", "beers", "invitations", "audit"] as const)
      all.push(await app.db.selectFrom(table).selectAll().execute());
    return all;
  };
  const before = await rows();
  for (const [line, expected] of refusals) {
    const { code, printed } = await runInProcess(line.split(" ").filter(Boolean), env);
    expect([line, code]).toEqual([line, expected]);
    if (line !== "") expect(printed).toMatch(/^[^\n\p{Cc}]+\n$/u);
    expect(printed).not.toContain("Kellerbier");
  }
  expect(await rows()).toEqual(before);
});

test("every command, not only “serve”, refuses a broken configuration", async () => {
  for (const line of ["serve", "user list"]) {
    const { code, printed } = await runInProcess(line.split(" "), { ...env, PORT: "many" });
    expect([line, code, printed]).toEqual([line, 78, expect.stringContaining("PORT")]);
  }
});

test("the command “beers export” prints any number of beers, as one JSON document or one line per beer", async () => {
  const folder = createTemporaryFolder();
  const run = async (line: string) => {
    const { code, printed } = await runInProcess(line.split(" "), { DATA_DIR: folder });
    expect(code).toBe(0);
    return printed;
  };
  await run("migrate");
  expect([await run("beers export --json"), await run("beers export")]).toEqual(["[]\n", ""]);
  await run("demo --beers 2500");
  const beers: { at: string; uname: string; key: string | null }[] = JSON.parse(await run("beers export --json"));
  expect(beers).toHaveLength(2500);
  const lines = beers.map(({ at, uname, key }) => `${at}\t${uname}\t${key ?? ""}\n`);
  expect(await run("beers export")).toBe(lines.join(""));
});

test("the command “demo” creates a missing database", async () => {
  const folder = createTemporaryFolder();
  const demo = await runInProcess(["demo", "--beers", "1"], { DATA_DIR: folder });
  expect([demo.code, demo.printed]).toEqual([0, expect.stringContaining("\n1 beers\n")]);
});

test("the command “help” and the option --help list all commands of the app", async () => {
  const help = await runInProcess(["help"]);
  expect([help.code, await runInProcess(["user", "grant", "--help"])]).toEqual([0, help]);
  for (const name of ["serve", ...commands.map((command) => command.name)])
    expect(help.printed).toMatch(new RegExp(`^  ${name}( |$)`, "m"));
});

test("the command “help” tells each variable with its meaning in words and its default", async () => {
  const { printed } = await runInProcess(["help"]);
  for (const name of Object.keys(configSchema.shape)) {
    const [, meaning] = new RegExp(`^  ${name} {2,}(\\S.*) \\(.+\\)$`, "m").exec(printed) ?? [];
    expect(meaning, name).toMatch(/^(?!.* e\.g$)\S+ \S+/);
  }
});
