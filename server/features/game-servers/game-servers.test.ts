import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import { updatePermissions } from "#server/features/members/store.ts";
import { toIso } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { fastTimings, createFakeDriver } from "#test/fake-driver.ts";
import { connectSocket, subscribe } from "#test/socket-client.ts";
import type { SocketClient } from "#test/socket.ts";
import { createTestApp } from "#test/test-app.ts";
import {
  addGameServer,
  orderGameServers,
  removeGameServer,
  type GameServerSetup,
  updateGameServer,
} from "./actions.ts";
import { EngineUnreachableError } from "./drivers/driver.ts";
import { findGameServer } from "./store.ts";

const channel = "private-game-servers";
const unharmed = { avatarId: null, is_failure: false, failed_start_at: null };
const teeworlds: GameServerSetup = {
  display_name: "Teeworlds",
  driver: "docker",
  ref: "teeworlds",
  address: null,
  query: "none",
  grace_seconds: null,
  idle_stop_minutes: null,
};
let id: number;

const engine = createFakeDriver({ now: () => app.clock.now() });
const appTimings = { ...fastTimings };
const app = await createTestApp({}, { gameServers: { drivers: { docker: engine.driver }, timings: appTimings } });
const ben = await app.createMember("ben");
const carla = await app.createMember("carla");

beforeEach(async () => {
  // Advances the clock, so that the outage throttle does not count messages of the previous test.
  app.clock.time += 15 * 60_000;
  engine.reset();
  engine.set("teeworlds", {});
  id = await add(teeworlds);
  await expect.poll(state).toEqual({ Status: "created", Running: false });
});

afterEach(() => removeGameServer(app.context, id, null));

const add = (setup: GameServerSetup) => addGameServer(app.context, setup, null);
const path = (server = id) => `/api/game-servers/${server}`;
const start = (member: Client = ben, server = id) => member.post(path(server), { state: 1 });
const stop = (member: Client = ben, server = id) => member.post(path(server), { state: 2 });
const read = async (server = id) => (await carla.get(path(server))).json;
const state = async () => (await read()).state;
const answerOf = ({ json: { message }, status }: { json: { message: string }; status: number }) => [status, message];

async function listen(member: Client): Promise<SocketClient> {
  const socket = await connectSocket(app, member.cookieHeader);
  await subscribe(member, socket, channel);
  return socket;
}

/** Returns the events with a message for members, without events that only cause a refetch. */
const announcements = (socket: SocketClient) =>
  socket.messages.flatMap(({ event, data }) => (event === "updated" && data.message !== "" ? [data] : []));

/** Advances the app's clock until the game server counts as running. */
async function waitUntilRunning(): Promise<void> {
  app.clock.time += 5000;
  await expect.poll(state).toEqual({ Status: "running", Running: true });
}

describe("start", () => {
  test("members see which member started a game server, and are told when it runs", async () => {
    const page = await listen(carla);
    expect(answerOf(await start())).toEqual([200, "Teeworlds wird gestartet."]);
    await expect
      .poll(() => read())
      .toEqual({
        id,
        display_name: "Teeworlds",
        address: null,
        join_url: null,
        players: null,
        is_queryable: false,
        is_active: true,
        auto_stop_at: null,
        state: { Status: "starting", Running: true },
        is_missing: false,
        start_failure: null,
        changed_by: { name: "Ben", avatarId: null, is_former: false },
        changed_at: toIso(app.clock.time),
      });
    await waitUntilRunning();
    const { id: benId } = (await ben.get("/api/checkLoginStatus")).json.user;
    await expect
      .poll(() => announcements(page))
      .toEqual([
        { userId: benId, serverId: id, message: "Teeworlds wird gestartet.", userName: "Ben", ...unharmed },
        { userId: null, serverId: id, message: "Teeworlds läuft jetzt.", userName: null, ...unharmed },
      ]);
    expect(engine.calls).toEqual(["start teeworlds"]);
  });

  test("the late result of an inspection that began before a start does not announce the game server as stopped", async () => {
    onTestFinished(() => void (appTimings.inspectMs = fastTimings.inspectMs));
    appTimings.inspectMs = 10_000;
    const page = await listen(carla);
    const finish = engine.pause();
    const answer = start();
    await expect.poll(() => engine.calls).toEqual(["start teeworlds"]);
    const before = await engine.driver.inspect({ id, ref: "teeworlds", graceSeconds: null });
    const late = Promise.withResolvers<void>();
    const inspect = vi.spyOn(engine.driver, "inspect").mockImplementationOnce(() => late.promise.then(() => before));
    engine.notifyWatchers();
    await expect.poll(() => inspect).toHaveBeenCalled();
    finish();
    await answer;
    await expect.poll(async () => (await findGameServer(app.db, id))?.changing).toBeNull();
    late.resolve();
    await waitUntilRunning();
    await expect.poll(() => announcements(page).at(-1)).toMatchObject({ message: "Teeworlds läuft jetzt." });
    expect(announcements(page)).toHaveLength(2);
  });

  test("two simultaneous requests start a game server only once", { tags: "postgres" }, async () => {
    const finish = engine.pause();
    const answers = [start(), start()];
    expect(answerOf(await Promise.race(answers))).toEqual([409, "Der Server wird gerade umgeschaltet."]);
    finish();
    expect((await Promise.all(answers)).map(answerOf)).toContainEqual([200, "Teeworlds wird gestartet."]);
    expect(engine.calls).toEqual(["start teeworlds"]);
  });

  test("a game server is not started while another instance starts or stops it", { tags: "postgres" }, async () => {
    const until = app.clock.time + 60_000;
    await app.db
      .updateTable("game_servers")
      .set({ changing: "stop", changing_until: until })
      .where("id", "=", id)
      .execute();
    expect(answerOf(await start())).toEqual([409, "Der Server wird gerade umgeschaltet."]);
    expect(engine.calls).toEqual([]);
    app.clock.time = until;
    expect((await start()).status).toBe(200);
  });

  test("starting a game server is refused until its stop is finished", async () => {
    engine.set("teeworlds", { isAlive: true, status: "running" });
    const finish = engine.pause();
    expect(answerOf(await stop())).toEqual([200, "Teeworlds wird heruntergefahren."]);
    expect(await state()).toEqual({ Status: "stopping", Running: true });
    expect(answerOf(await start())).toEqual([409, "Der Server wird gerade umgeschaltet."]);
    expect(answerOf(await stop())).toEqual([409, "Der Server wird gerade umgeschaltet."]);
    finish();
    await expect.poll(state).toEqual({ Status: "exited", Running: false });
    expect(answerOf(await start())).toEqual([200, "Teeworlds wird gestartet."]);
  });
});

describe("stop", () => {
  test("stopping a game server is answered before the stop is finished", async () => {
    engine.set("teeworlds", { isAlive: true, status: "running" });
    const finish = engine.pause();
    const page = await listen(carla);
    expect(answerOf(await stop())).toEqual([200, "Teeworlds wird heruntergefahren."]);
    expect(await state()).toEqual({ Status: "stopping", Running: true });
    finish();
    await expect.poll(state).toEqual({ Status: "exited", Running: false });
    const messages = ["Teeworlds wird heruntergefahren.", "Teeworlds ist jetzt aus."];
    await expect
      .poll(() => announcements(page).map(({ message }) => message))
      .toEqual(expect.arrayContaining(messages));
    expect(answerOf(await stop())).toEqual([200, "Teeworlds ist bereits aus."]);
  });

  test("a game server that a member stops during its start is stopped as soon as it has started", async () => {
    const finish = engine.pause();
    const starting = start();
    await expect.poll(() => engine.calls).toEqual(["start teeworlds"]);
    expect(answerOf(await stop())).toEqual([200, "Teeworlds wird heruntergefahren."]);
    finish();
    expect((await starting).status).toBe(200);
    await expect.poll(() => engine.calls).toEqual(["start teeworlds", "stop teeworlds"]);
    await expect.poll(state).toEqual({ Status: "exited", Running: false });
    expect(engine.mostAtOnce).toBe(1);
  });

  test("a failed stop is announced as a failure only if the game server still runs", async () => {
    const page = await listen(carla);
    const messages = () => announcements(page).map(({ message }) => message);
    const failing = vi.spyOn(engine.driver, "stop").mockRejectedValue(new EngineUnreachableError("lost"));
    onTestFinished(() => failing.mockRestore());
    engine.set("teeworlds", { isAlive: true, status: "running" });
    const [running, stopping] = ["Teeworlds läuft jetzt.", "Teeworlds wird heruntergefahren."];
    await stop();
    await expect.poll(messages).toEqual([running, stopping, "Teeworlds ließ sich nicht herunterfahren.", running]);

    failing.mockImplementation(async () => {
      engine.set("teeworlds", { isAlive: false, status: "exited", exitCode: 137 });
      throw new EngineUnreachableError("lost");
    });
    await stop();
    await expect.poll(() => messages().slice(4)).toEqual([stopping, "Teeworlds ist jetzt aus."]);
  });
});

describe("changes outside the app", () => {
  test("a game server started or stopped outside the app is announced once, without a member", async () => {
    const page = await listen(carla);
    engine.set("teeworlds", { isAlive: true, status: "running", startedAt: app.clock.time });
    for (let burst = 0; burst < 20; burst += 1) engine.notifyWatchers();
    await expect.poll(state).toEqual({ Status: "running", Running: true });
    engine.set("teeworlds", { isAlive: false, status: "exited", exitCode: 143 });
    await expect.poll(state).toEqual({ Status: "exited", Running: false });
    const updates = () => page.messages.flatMap(({ event, data }) => (event === "updated" ? [data] : []));
    await expect.poll(updates).toEqual([
      { userId: null, serverId: id, message: "Teeworlds läuft jetzt.", userName: null, ...unharmed },
      { userId: null, serverId: id, message: "Teeworlds ist jetzt aus.", userName: null, ...unharmed },
    ]);
  });

  test("the failure of the container engine is logged and announced once, and so is its recovery", async () => {
    const page = await listen(carla);
    engine.isReachable = false;
    engine.notifyWatchers();
    await expect.poll(state).toBeNull();
    expect(answerOf(await start())).toEqual([503, "Die Game-Server-Steuerung ist gerade nicht erreichbar."]);
    engine.isReachable = true;
    await expect.poll(state).toEqual({ Status: "created", Running: false });
    await expect
      .poll(() => announcements(page).map(({ message, is_failure }) => [message, is_failure]))
      .toEqual([
        ["Die Game-Server-Steuerung ist gerade nicht erreichbar.", true],
        ["Die Game-Server-Steuerung ist wieder erreichbar.", false],
      ]);
    expect(app.logLines.filter(({ event }) => event.startsWith("game-servers-"))).toEqual([
      {
        level: "warn",
        event: "game-servers-unreachable",
        fields: { server: id, reason: expect.stringContaining("ENGINE_URL: the container engine does not answer.") },
      },
      { level: "info", event: "game-servers-reachable", fields: { server: id } },
    ]);
    expect((await start()).status).toBe(200);
  });

  test("a hanging container engine delays neither the list of game servers nor the answer to a start", async () => {
    engine.isHanging = true;
    engine.notifyWatchers();
    expect((await carla.get("/api/game-servers")).status).toBe(200);
    expect((await start()).status).toBe(503);
    await expect.poll(state).toBeNull();
    engine.isHanging = false;
    await expect.poll(state).toEqual({ Status: "created", Running: false });
  });

  test("a request to start a game server gets 503 if the driver refuses the start or never finishes it", async () => {
    engine.onStart = () => new Error("/var/lib/secret: no such file");
    expect((await start()).status).toBe(503);
    engine.pause();
    expect((await start()).status).toBe(503);
    expect((await start()).status).toBe(409);
    expect(await read()).toMatchObject({ changed_by: null, changed_at: null });
    expect(JSON.stringify(app.logLines)).not.toContain("secret");
    engine.reset();
    await expect.poll(async () => (await findGameServer(app.db, id))?.changing).toBeNull();
  });
});

test("a requested stop of a game server does not count as a crash, even after an app restart", async () => {
  const outside = { gameServers: { drivers: { docker: engine.driver }, timings: fastTimings } };
  const first = await createTestApp({}, outside);
  const other = await addGameServer(first.context, teeworlds, null);
  const anna = await first.createMember("anna");
  const here = path(other);
  engine.set("teeworlds", { isAlive: true, status: "running", startedAt: first.clock.time });
  await expect.poll(async () => (await anna.get(here)).json.state).toMatchObject({ Running: true });
  const finish = engine.pause();
  await anna.post(here, { state: 2 });
  const closed = first.context.http.fastify.close();
  finish();
  await closed;
  engine.set("teeworlds", { isAlive: false, status: "exited", exitCode: 1 });
  const second = await first.reopen();
  const ben2 = await second.createMember("ben");
  await expect.poll(async () => (await ben2.get(here)).json.state).toEqual({ Status: "exited", Running: false });
});

describe("GET /api/game-servers", () => {
  test("GET /api/game-servers lists every game server in order, even one without a container", async () => {
    const other = await add({ ...teeworlds, display_name: "Anderer", ref: "teeworlds" });
    await expect.poll(async () => (await read(other)).state).not.toBeNull();
    await app.db.updateTable("game_servers").set({ ref: "gone" }).where("id", "=", other).execute();
    await expect.poll(async () => (await read(other)).state).toBeNull();
    const { json } = await carla.get("/api/game-servers");
    expect(json.map((one: { display_name: string; state: object }) => [one.display_name, one.state])).toEqual([
      ["Teeworlds", { Status: "created", Running: false }],
      ["Anderer", null],
    ]);
    expect((await start(ben, other)).status).toBe(503);
    await removeGameServer(app.context, other, null);
  });

  test("the state of a newly added game server is known at once", async () => {
    const timings = { ...fastTimings, tickMs: 3_600_000, inspectMs: 10_000, pageWaitMs: 10_000 };
    const slow = await createTestApp({}, { gameServers: { drivers: { docker: engine.driver }, timings } });
    const member = await slow.createMember("carla");
    const stateOf = async (server: number) => (await member.get(path(server))).json.state;
    const first = await addGameServer(slow.context, teeworlds, null);
    await expect.poll(() => stateOf(first)).not.toBeNull();
    const second = await addGameServer(slow.context, { ...teeworlds, display_name: "Anderer" }, null);
    expect(await stateOf(second)).toEqual({ Status: "created", Running: false });
  });

  test("open pages refetch the list of game servers when a game server is added or removed", async () => {
    const page = await listen(carla);
    const other = await add({ ...teeworlds, display_name: "Anderer" });
    const listChanges = () => page.messages.filter(({ data }) => data?.serverId === 0).length;
    await expect.poll(listChanges).toBe(1);
    await removeGameServer(app.context, other, null);
    await expect.poll(listChanges).toBe(2);
    expect((await carla.get(path(other))).status).toBe(404);
    expect((await start(ben, other)).status).toBe(404);
  });
});

describe("administration", () => {
  test("renaming and reordering a running game server does not stop it", async () => {
    engine.set("teeworlds", { isAlive: true, status: "running" });
    await expect.poll(state).toMatchObject({ Running: true });
    const other = await add({ ...teeworlds, display_name: "Anderer" });
    const { driver: _driver, ref: _ref, ...settings } = teeworlds;
    const changed = { ...settings, display_name: "Tee-Welten", address: "tee.example:8303" };
    await updateGameServer(app.context, id, changed, null);
    await orderGameServers(app.context, [other, id], null);
    const { json } = await carla.get("/api/game-servers");
    expect(json.map((one: { display_name: string }) => one.display_name)).toEqual(["Anderer", "Tee-Welten"]);
    expect(await read()).toMatchObject({ address: "tee.example:8303", state: { Running: true } });
    await removeGameServer(app.context, other, null);
    await expect.poll(async () => answerOf(await start())).toEqual([200, "Tee-Welten läuft bereits."]);
  });
});

describe("permissions", () => {
  test("members without the permissions for game servers neither see nor switch game servers, and get no events about them", async () => {
    const greta = await app.createMember("greta");
    const greeted = await connectSocket(app, greta.cookieHeader);
    const asked = await greta.post("/broadcasting/auth", { socket_id: greeted.id, channel_name: channel });
    expect(asked.status).toBe(403);
    expect((await greta.get("/api/game-servers")).status).toBe(403);
    expect((await start(carla)).status).toBe(403);

    const page = await listen(carla);
    const carlaId = (await carla.get("/api/checkLoginStatus")).json.user.id;
    await updatePermissions(app.db, carlaId, []);
    await app.context.realtime.accessChanged(app.db, { userId: carlaId });
    await page.next("pusher:subscription_error");
    await start();
    expect((await page.flush()).filter(({ event }) => event === "updated")).toEqual([]);
    expect((await carla.get(path())).status).toBe(403);
    expect((await greeted.flush()).filter(({ event }) => event === "updated")).toEqual([]);
    await updatePermissions(app.db, carlaId, ["see-game-servers"]);
  });

  test("switching a game server with an invalid id is refused with 404", async () => {
    const names = ["0", "-1", "1.0", "1e3", "abc", "%2e%2e", "1%2Fstop", "99999999999", "999"];
    for (const name of names) {
      expect((await ben.post(`/api/game-servers/${name}`, { state: 1 })).status, name).toBe(404);
    }
    expect(engine.calls).toEqual([]);
  });

  test("an unknown action for a game server is refused", async () => {
    for (const wrong of ["1", 3, 1.5, true, [1], null, undefined]) {
      const answer = await ben.post(path(), { state: wrong });
      expect([answer.status, Object.keys(answer.json.errors)], String(wrong)).toEqual([422, ["state"]]);
    }
    expect(engine.calls).toEqual([]);
  });
});
