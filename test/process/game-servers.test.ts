import { setTimeout as sleep } from "node:timers/promises";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import type { Client } from "#test/client.ts";
import { runInProcess } from "#test/command-line.ts";
import { subscribeToChannel } from "./channel-socket.ts";
import { type TestEngine, engines } from "./engines.ts";
import { createPlayer, startServerProcess, startTwoInstances, type ServerProcess } from "./server-process.ts";

const list = "/api/game-servers";

/**
 * A real engine if this machine has one. One engine is enough, because the driver's tests cover the
 * differences between engines.
 */
const { name: engineName, open: openEngine } = engines.find(({ name }) => name.includes("real")) ?? engines[0]!;

describe(`game servers on ${engineName}`, () => {
  let engine: TestEngine;
  let server: ServerProcess;
  let anna: Client;
  let ben: Client;
  let id: number;

  beforeAll(async () => {
    engine = await openEngine();
    await engine.create("keller", "obedient");
    server = await startServerProcess({ env: { ENGINE_URL: engine.url } });
    [anna, ben] = [await createPlayer(server, "anna"), await createPlayer(server, "ben")];
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await engine.close();
  });

  const state = async () => (await ben.get(`${list}/${id}`)).json.state;
  const isRunning = async () => (await state())?.Running ?? null;

  test("an operator adds a container while the server runs, but cannot add a missing container", async () => {
    const refused = await runInProcess(["game-server", "add", "Nichts", "--docker", "nothing"], server.env);
    const printed = "The engine has no container “nothing”. Nothing was added.\n";
    expect(refused).toEqual({ code: 1, printed });
    const added = await server.run("game-server", "add", "Keller", "--docker", "keller", "--json");
    expect(added.json).toEqual({ id: expect.any(Number), display_name: "Keller" });
    id = added.json.id;
    await expect.poll(state).toEqual({ Status: "created", Running: false });
    expect(await server.call("game-server", "list")).toEqual([
      { id, display_name: "Keller", driver: "docker", state: { Status: "created", Running: false } },
    ]);
  });

  test("members see starts and stops of a game server by other members and outside of the app", async () => {
    const page = await subscribeToChannel(server, ben, "private-game-servers");
    expect((await anna.post(`${list}/${id}`, { state: 1 })).json).toEqual({ message: "Keller wird gestartet." });
    await expect.poll(isRunning).toBe(true);
    await expect.poll(() => page.events.map(({ data }) => data["message"])).toContain("Keller wird gestartet.");
    await engine.runOutside("stop", "keller");
    await expect.poll(state).toEqual({ Status: "exited", Running: false });
    await engine.runOutside("start", "keller");
    await expect.poll(isRunning).toBe(true);
    await engine.isListening("keller");
    expect((await ben.post(`${list}/${id}`, { state: 2 })).json).toEqual({ message: "Keller wird heruntergefahren." });
    await expect.poll(state).toEqual({ Status: "exited", Running: false });
    const last = () => page.events.findLast(({ data }) => data["message"] !== "")?.data;
    const atLast = {
      userId: null,
      serverId: id,
      message: "Keller ist jetzt aus.",
      userName: null,
      avatarId: null,
      is_failure: false,
      failed_start_at: null,
    };
    await expect.poll(last).toEqual(atLast);
    page.close();
  });

  test("a killed app knows the current state of all game servers immediately after its restart", async () => {
    await anna.post(`${list}/${id}`, { state: 1 });
    await expect.poll(isRunning).toBe(true);
    await server.kill();
    await engine.runOutside("stop", "keller");
    await server.start();
    await expect.poll(state).toEqual({ Status: "exited", Running: false });
  });

  test("the shutdown of the app does not wait for the slow stop of a game server", async () => {
    await engine.create("gruft", "stubborn");
    const { id: slow } = await server.call("game-server", "add", "Gruft", "--docker", "gruft", "--grace", "60");
    await expect.poll(async () => (await anna.post(`${list}/${slow}`, { state: 1 })).status).toBe(200);
    await expect.poll(async () => (await ben.get(`${list}/${slow}`)).json.state?.Running).toBe(true);
    expect((await anna.post(`${list}/${slow}`, { state: 2 })).json).toEqual({
      message: "Gruft wird heruntergefahren.",
    });
    const began = performance.now();
    server.signal("SIGTERM");
    const { code } = await server.exited();
    expect([code, performance.now() - began < 8000]).toEqual([0, true]);
    await server.start();
    // The stopped app had sent the stop to the engine, and the database has kept it.
    expect((await ben.get(`${list}/${slow}`)).json.state).toEqual({ Status: "stopping", Running: true });
    await server.call("game-server", "remove", String(slow));
  });
});

/**
 * Two instances that share only the database. Both accept requests, and one of them is the leader.
 */
describe.skipIf(!process.env["TEST_DATABASE_URL"])("game servers on two instances with one PostgreSQL", () => {
  test("two instances announce each change of a game server once, and one instance continues if the other is killed", async () => {
    const engine = await engines[0]!.open();
    await engine.create("keller", "obedient");
    await using instances = await startTwoInstances({ ENGINE_URL: engine.url });
    const { one, other } = instances;
    const anna = await createPlayer(one, "anna");
    const { id } = await one.call("game-server", "add", "Keller", "--docker", "keller");
    const there = anna.through(other.port);
    const path = `${list}/${id}`;
    const pages = [
      await subscribeToChannel(one, anna, "private-game-servers"),
      await subscribeToChannel(other, there, "private-game-servers"),
    ];
    await expect.poll(async () => (await there.get(path)).json.state).toEqual({ Status: "created", Running: false });

    for (const member of [anna, there]) {
      expect((await member.post(path, { state: 1 })).json).toEqual({ message: "Keller wird gestartet." });
      for (const reader of [anna, there]) {
        await expect.poll(async () => (await reader.get(path)).json.state?.Running).toBe(true);
      }
      await member.post(path, { state: 2 });
      await expect.poll(async () => (await there.get(path)).json.state).toEqual({ Status: "exited", Running: false });
    }
    await sleep(200);
    for (const page of pages) {
      const messages = page.events.map(({ data }) => data["message"]);
      for (const once of ["Keller wird gestartet.", "Keller wird heruntergefahren."])
        expect(messages.filter((message) => message === once)).toHaveLength(2);
      page.close();
    }

    for (const [killed, left] of [
      [one, there],
      [other, anna],
    ] as const) {
      await killed.kill();
      await expect.poll(async () => (await left.post(path, { state: 1 })).status, { timeout: 15_000 }).toBe(200);
      await expect.poll(async () => (await left.get(path)).json.state?.Running).toBe(true);
      await engine.runOutside("stop", "keller");
      await expect.poll(async () => (await left.get(path)).json.state?.Running).toBe(false);
      await killed.start();
    }
  });

  test("a program outlives a kill of any instance, and only those on its machine control it", async () => {
    await using instances = await startTwoInstances({}, { DATA_DIR: createTemporaryFolder() });
    const { one, other } = instances;
    const anna = await createPlayer(one, "anna");
    const there = anna.through(other.port);
    const { id } = await other.call("game-server", "add", "Teeworlds", "--command", "sleep 1000");
    const path = `${list}/${id}`;
    const isRunning = async (member: Client) => (await member.get(path)).json.state?.Running;
    await expect.poll(() => isRunning(anna)).toBe(false);
    expect((await anna.post(path, { state: 1 })).json).toEqual({ message: "Teeworlds wird gestartet." });
    await expect.poll(() => isRunning(anna)).toBe(true);

    await one.kill();
    await expect.poll(() => isRunning(there)).toBe(true);
    await one.start();
    await other.kill();
    const stop = async () => (await anna.post(path, { state: 2 })).json.message;
    const gone = "Der Rechner mit diesem Game-Server ist gerade nicht erreichbar.";
    await expect.poll(stop, { timeout: 20_000 }).toBe(gone);
    await other.start();
    await expect.poll(stop).toBe("Teeworlds wird heruntergefahren.");
    await expect.poll(() => isRunning(there)).toBe(false);
  });
});
