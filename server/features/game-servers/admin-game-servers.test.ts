import { beforeEach, describe, expect, test, vi } from "vitest";

import { updatePermissions } from "#server/features/members/store.ts";
import type { ClientResponse, Client } from "#test/client.ts";
import { expectErrors, expectRefusal } from "#test/expect-response.ts";
import { fastTimings, createFakeDriver, type FakeDriver } from "#test/fake-driver.ts";
import { connectSocket, subscribe } from "#test/socket-client.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import { addGameServer } from "./actions.ts";

const path = "/api/admin/game-servers";
const minecraft = { display_name: "Minecraft", address: null, query: "none", grace: null, idle_stop: null };

let app: TestApp;
let engine: FakeDriver;
let anna: Client;
let carla: Client;

beforeEach(async () => {
  engine = createFakeDriver({ now: () => app.clock.now() });
  app = await createTestApp({}, { gameServers: { drivers: { docker: engine.driver }, timings: fastTimings } });
  engine.set("mc", {});
  engine.set("teeworlds", {});
  anna = await app.createMember("anna", ["admin"]);
  carla = await app.createMember("carla", ["see-game-servers"]);
});

const add = (ref = "mc", changes: object = {}): Promise<ClientResponse> =>
  anna.post(path, { ...minecraft, ref, ...changes });
const listServers = async () => (await anna.get(path)).json;
const names = async (): Promise<string[]> =>
  (await carla.get("/api/game-servers")).json.map(({ display_name }: { display_name: string }) => display_name);
const remove = (id: number): Promise<ClientResponse> => anna.delete(`${path}/${id}`);
const texts = async () => (await anna.get("/api/admin/audit")).json.entries.map(({ text }: { text: string }) => text);

describe("containers", () => {
  test("an administrator can add, rename, reorder and remove a container as a game server", async () => {
    const socket = await connectSocket(app, carla.cookieHeader);
    await subscribe(carla, socket, "private-game-servers");

    const added = await add();
    expect([added.status, added.json]).toEqual([201, { message: "Minecraft ist angelegt.", id: 1 }]);
    expect((await socket.next("updated")).data).toMatchObject({ userId: null, message: "" });
    await add("teeworlds", { display_name: "Teeworlds" });
    expect(await names()).toEqual(["Minecraft", "Teeworlds"]);
    expect((await listServers())[0]).toMatchObject({ id: 1, ...minecraft, driver: "docker", ref: "mc" });

    const changes = { ...minecraft, display_name: "Bauwelt", address: "spiele.example:25565", query: "minecraft" };
    const changed = await anna.post(`${path}/1`, { ...changes, grace: 60, idle_stop: 30 });
    expect(changed.json).toEqual({ message: "Bauwelt ist gespeichert." });
    expect((await listServers())[0]).toMatchObject({ ...changes, grace: 60, idle_stop: 30, ref: "mc" });
    expect((await carla.get("/api/game-servers/1")).json.address).toBe("spiele.example:25565");

    expect((await anna.post("/api/admin/game-server-order", { ids: [2, 1] })).status).toBe(200);
    expect(await names()).toEqual(["Teeworlds", "Bauwelt"]);
    expect((await remove(1)).json).toEqual({ message: "Game-Server entfernt." });
    expect(await names()).toEqual(["Teeworlds"]);
    expect(engine.calls).toEqual([]);
    expect(await texts()).toEqual([
      "Game-Server „Bauwelt“ entfernt.",
      "Game-Server neu geordnet.",
      "Game-Server „Bauwelt“ geändert.",
      "Game-Server „Teeworlds“ angelegt.",
      "Game-Server „Minecraft“ angelegt.",
    ]);
  });

  test("an unknown container as a game server is refused with a field error", async () => {
    const answer = await add("gone");
    expectErrors(answer, { ref: ["Einen Container mit diesem Namen gibt es nicht."] });
    expect(await listServers()).toEqual([]);
    expect(await texts()).toEqual([]);
  });

  test("a container is not added if the administrator loses the permission before the engine answers", async () => {
    const { inspect } = engine.driver;
    vi.spyOn(engine.driver, "inspect").mockImplementationOnce(async (target) => {
      await updatePermissions(app.db, 1, []);
      return inspect(target);
    });
    expectRefusal(await add(), 403, "Diese Aktion ist nicht autorisiert.");
    expect(await app.db.selectFrom("game_servers").selectAll().execute()).toEqual([]);
  });

  test("the connection test reports if a container runs, is off, is missing or is unreachable", async () => {
    await add();
    const see = async () => (await anna.post(`${path}/1/test`)).json;
    expect(await see()).toEqual({ ok: true, message: "Verbindung steht, der Server ist aus." });
    engine.set("mc", { isAlive: true, status: "running" });
    expect(await see()).toEqual({ ok: true, message: "Verbindung steht, der Server läuft." });
    engine.set("mc", null);
    expect(await see()).toEqual({ ok: false, message: "Da ist nichts unter diesem Namen." });
    engine.isReachable = false;
    expect(await see()).toEqual({
      ok: false,
      message: "Die Game-Server-Steuerung ist gerade nicht erreichbar.",
    });
    expectRefusal(await anna.post(`${path}/9/test`), 404, "Nicht gefunden.");
  });
});

describe("programs from the browser", () => {
  test.each([
    { driver: "command", command: "/bin/sh" },
    { driver: "script", script: "/bin/sh", kind: "script" },
    { driver: "unit", unit: "ssh.service" },
  ])("POST /api/admin/game-servers ignores the program %o", async (ref) => {
    expect((await add("mc", ref)).status).toBe(201);
    expect((await listServers())[0]).toMatchObject({ driver: "docker", ref: "mc" });
  });

  test.each(["/bin/sh", "../mc", "mc/../x", "mc?x=1", "-mc", "mc json", "", "x".repeat(129)])(
    "the container name “%s” is refused without asking the engine",
    async (ref) => {
      const answer = await add(ref);
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ["ref"]]);
    },
  );

  test("the admin page lists a program's game server without the command line, and cannot change the command line", async () => {
    const ref = JSON.stringify({ argv: ["/usr/games/server", "--rcon", "geheim"], cwd: null, stopSignal: null });
    const setup = { display_name: "Alt", driver: "command", ref, address: null, query: "none" } as const;
    await addGameServer(app.context, { ...setup, grace_seconds: null, idle_stop_minutes: null }, null);
    const listed = await anna.get(path);
    expect(listed.json[0]).toMatchObject({ driver: "command", ref: null });
    expect(listed.text).not.toContain("geheim");
    await anna.post(`${path}/1`, { ...minecraft, display_name: "Neu", ref: "mc", driver: "docker" });
    const row = await app.db.selectFrom("game_servers").selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ display_name: "Neu", driver: "command", ref });
  });
});

test.each<[string, object, string, string]>([
  ["no name", { display_name: " " }, "display_name", "Name muss ausgefüllt werden."],
  ["an address that is no host", { address: "http://x" }, "address", "Der gewählte Wert für Adresse ist ungültig."],
  ["a port above 65535", { address: "x:65536" }, "address", "Der gewählte Wert für Adresse ist ungültig."],
  ["a query but no address", { query: "source" }, "address", "Adresse muss ausgefüllt werden."],
  ["an automatic stop but no query", { idle_stop: 30 }, "query", "Abfrage muss ausgefüllt werden."],
  ["a negative grace period", { grace: -1 }, "grace", "Frist muss zwischen 0 und 600 liegen."],
  ["an automatic stop after 0 minutes", { idle_stop: 0 }, "idle_stop", "Abschaltzeit muss zwischen 1 und 1440 liegen."],
])("a game server with %s is refused", async (_, changes, field, text) => {
  for (const answer of [await add("mc", changes), await anna.post(`${path}/1`, { ...minecraft, ...changes })]) {
    expectErrors(answer, { [field]: [text] });
  }
});

test("sorting the game servers is refused if the list of ids lacks a game server, repeats one or has an unknown one", async () => {
  await add();
  await add("teeworlds", { display_name: "Teeworlds" });
  for (const ids of [[1], [1, 2, 3], [1, 1], []]) {
    const answer = await anna.post("/api/admin/game-server-order", { ids });
    expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ["ids"]]);
  }
  expect(await names()).toEqual(["Minecraft", "Teeworlds"]);
});

test("adding, changing and removing a game server requires a password confirmed within three hours", async () => {
  await add();
  await anna.post("/api/login", { uname: "anna", password, rememberUser: true });
  app.clock.time += 3 * 60 * 60_000;
  for (const answer of [await add("teeworlds"), await anna.post(`${path}/1`, minecraft), await remove(1)]) {
    expectRefusal(answer, 423, "Bitte bestätige dein aktuelles Passwort.");
  }
  expect((await anna.post("/api/admin/game-server-order", { ids: [1] })).status).toBe(200);
  expect(await listServers()).toHaveLength(1);
});
