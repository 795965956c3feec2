import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { runInProcess } from "#test/command-line.ts";
import { type TestEngine, engines } from "#test/engines.ts";
import { subscribeToChannel } from "./channel-socket.ts";
import { createPlayer, startServerProcess, type ServerProcess } from "./server-process.ts";

const list = "/api/game-servers";

/** One engine is enough, because the driver's tests cover the differences between engines. */
const { name: engineName, open: openEngine } = engines[0]!;

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
