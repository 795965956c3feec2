import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { createServerProcess, password, registerMember, type ServerProcess } from "./server-process.ts";
import { subscribeToChannel } from "./channel-socket.ts";

const counters = "/api/beercounter/counters";

/** Commands that run beside the server act on it at once. */
describe("beside the running server", () => {
  let server: ServerProcess;
  let anna: Client;
  let bert: Client;

  beforeAll(async () => {
    server = await createServerProcess();
    await server.start();
    [anna, bert] = (await server.createMembers("anna", "bert")) as [Client, Client];
  });

  afterAll(async () => server[Symbol.asyncDispose]());

  test("user disable refuses the very next request and closes that member's sockets, nobody else's", async () => {
    const [hers, his] = [await subscribeToChannel(server, anna), await subscribeToChannel(server, bert)];
    const disabled = await server.run("user", "disable", "anna", "--json");
    expect(disabled.json).toEqual({ uname: "anna", disabled: true });
    expect((await anna.get(counters)).status).toBe(401);
    expect((await hers.closed).code).toBe(4009);
    expect(his.webSocket.readyState).toBe(his.webSocket.OPEN);
    expect((await server.createClient().post("/api/login", { uname: "anna", password })).status).toBe(422);
    his.close();

    expect((await server.run("user", "enable", "anna", "--json")).json).toEqual({ uname: "anna", disabled: false });
    expect((await server.createClient().post("/api/login", { uname: "anna", password })).status).toBe(200);
  });

  test("user grant and revoke hold from the next request on", async () => {
    const rights = async () => (await bert.get("/api/checkLoginStatus")).json.user.permissions;
    expect(await rights()).toEqual([]);
    const granted = await server.run("user", "grant", "bert", "see-game-servers", "--json");
    expect(granted.json).toEqual({ uname: "bert", permissions: ["see-game-servers"] });
    expect(await rights()).toEqual(["see-game-servers"]);
    expect((await server.run("user", "revoke", "bert", "see-game-servers", "--json")).json.permissions).toEqual([]);
    expect(await rights()).toEqual([]);
  });

  test("beers import skips the keys it knows, and open pages see the new total", async () => {
    await bert.post(counters, undefined, { "idempotency-key": "tapped-at-the-bar" });
    const socket = await subscribeToChannel(server, bert);
    const folder = mkdtempSync(join(tmpdir(), "import-"));
    const file = join(folder, "beers.jsonl");
    const at = "2026-11-20T19:30:00Z";
    const beers = [
      { uname: "bert", at, key: "tapped-at-the-bar" },
      { uname: "bert", at, key: "from-the-old-list" },
      { uname: "bert", at, key: "from-the-old-list" },
      { uname: "anna", at, key: null },
    ];
    writeFileSync(file, beers.map((beer) => JSON.stringify(beer)).join("\n"));
    expect((await server.run("beers", "import", file, "--json")).json).toEqual({ imported: 2, skipped: 2 });
    await expect.poll(() => socket.events.at(-1)?.data).toMatchObject({ counterVal: 3, userId: null });
    expect((await bert.get(counters)).json).toEqual({ KSKCounterVal: 3, userCounterVal: 2 });
    socket.close();

    const exported = (await server.run("beers", "export", "--json")).json;
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const id = expect.any(Number);
    expect(exported).toEqual([
      { id, uname: "bert", at: "2026-11-20T19:30:00.000Z", key: "from-the-old-list" },
      { id, uname: "anna", at: "2026-11-20T19:30:00.000Z", key: null },
      { id, uname: "bert", at: moment, key: "tapped-at-the-bar" },
    ]);
    rmSync(folder, { recursive: true });
  });

  test("invite create makes invitations that work at once, as often as it says", async () => {
    const made = await server.run("invite", "create", "--permission", "admin", "--days", "2", "--uses", "2", "--json");
    const { token, url, expires_at } = made.json;
    expect(Object.keys(made.json).toSorted()).toEqual(["expires_at", "token", "url"]);
    expect(url).toBe(`http://localhost:${server.port}/register?token=${token}`);
    const days = (Date.parse(expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(1.99);
    expect(days).toBeLessThan(2);
    const carla = await registerMember(server, "carla", token);
    expect((await carla.get("/api/checkLoginStatus")).json.user.permissions).toEqual(["admin"]);
    await registerMember(server, "dora", token);
    await expect(registerMember(server, "emil", token)).rejects.toThrow("ungültig");
  });

  test("user list tells everything about everybody", async () => {
    const users = (await server.run("user", "list", "--json")).json;
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

  const refusals: [words: string, code: number][] = [
    ["user disable nobody", 1],
    ["user grant nobody admin", 1],
    ["beers import /nowhere/at/all", 1],
    ["demo", 1],
    ["", 2],
    ["drink", 2],
    ["user", 2],
    ["user disable", 2],
    ["user grant bert flying", 2],
    ["invite create --days 31", 2],
    ["invite create --days never", 2],
    ["beers export --color", 2],
    ["serve now", 2],
  ];

  test.for(refusals)("“%s” is refused with code %i and says why", async ([words, expected]) => {
    const { code, errors } = await server.run(...words.split(" ").filter(Boolean));
    expect(code).toBe(expected);
    if (words !== "") expect(errors.trim().split("\n")).toEqual([expect.stringMatching(/./)]);
  });

  test("a broken configuration is told by every command, not only by serve", async () => {
    server.env["PORT"] = "many";
    const { code, errors } = await server.run("user", "list");
    expect([code, errors]).toEqual([78, expect.stringContaining("PORT")]);
    server.env["PORT"] = String(server.port);
  });
});

test("demo fills an empty installation and tells how to log in", async () => {
  await using server = await createServerProcess();
  const { code, json } = await server.run("demo", "--beers", "200", "--json");
  expect(code).toBe(0);
  expect(json.beers).toBe(200);
  expect(json.members).toHaveLength(8);
  await server.start();
  const { uname, password: told } = json.members[0];
  const client = server.createClient();
  expect((await client.post("/api/login", { uname, password: told })).status).toBe(200);
  expect((await client.get(counters)).json.KSKCounterVal).toBe(200);
});
