import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { toIso } from "#server/time.ts";
import { fastTimings, createFakeDriver } from "#test/fake-driver.ts";
import { type FakeGame, createQuakeGame } from "#test/fake-games.ts";
import { createTestApp } from "#test/test-app.ts";
import { addGameServer, removeGameServer, type GameServerSetup } from "./actions.ts";

const minute = 60_000;
let game: FakeGame;
let playing: string[];
let id: number;

const engine = createFakeDriver({ now: () => app.clock.now() });
const app = await createTestApp({}, { gameServers: { drivers: { docker: engine.driver }, timings: fastTimings } });
const ben = await app.createMember("ben");

beforeEach(async () => {
  playing = [];
  engine.reset();
  engine.set("arena", {});
  game = await createQuakeGame(() => ({ names: playing, max: 8 }));
});

afterEach(() => removeGameServer(app.context, id, null));

async function add(idleStopMinutes: number | null): Promise<void> {
  const setup: GameServerSetup = {
    display_name: "Arena",
    driver: "docker",
    ref: "arena",
    address: game.address,
    query: "quake3",
    grace_seconds: null,
    idle_stop_minutes: idleStopMinutes,
  };
  id = await addGameServer(app.context, setup, null);
}

const path = () => `/api/game-servers/${id}`;
const read = async () => (await ben.get(path())).json;

async function run(): Promise<void> {
  engine.set("arena", { isAlive: true, status: "running", startedAt: app.clock.time });
  await expect.poll(read).toMatchObject({ state: { Status: "running" } });
}

describe("players", () => {
  test("the players of a game server are shown only while the game answers", async () => {
    await add(null);
    await run();
    await expect.poll(read).toMatchObject({ players: { online: 0, max: 8, names: [] }, auto_stop_at: null });
    playing = ["Emil", "Frieda"];
    await expect.poll(read).toMatchObject({ players: { online: 2, names: ["Emil", "Frieda"] } });
    await game.close();
    await expect.poll(read).toMatchObject({ players: null, state: { Status: "running" } });
    game = await createQuakeGame(() => ({ names: playing, max: 8 }));
    engine.set("arena", { isAlive: false, status: "exited", exitCode: 0 });
    await expect.poll(read).toMatchObject({ players: null, state: { Status: "exited" } });
  });
});

describe("automatic stop", () => {
  test("an empty game server stops automatically after a waiting time, unless a member chooses to keep it running", async () => {
    await add(20);
    await run();
    const began = app.clock.time;
    await expect.poll(read).toMatchObject({ auto_stop_at: toIso(began + 20 * minute) });
    app.clock.time = began + 15 * minute;
    const answer = await ben.post(`${path()}/keep-running`);
    expect([answer.status, answer.json]).toEqual([200, { message: "Arena läuft weiter." }]);
    expect(await read()).toMatchObject({ auto_stop_at: toIso(began + 35 * minute) });
    const { queries } = game;
    app.clock.time = began + 34 * minute;
    await expect.poll(() => game.queries).toBeGreaterThan(queries + 3);
    expect(engine.calls).toEqual([]);
    const finish = engine.pause();
    app.clock.time = began + 35 * minute;
    await expect.poll(() => engine.calls).toEqual(["stop arena"]);
    const late = await ben.post(`${path()}/keep-running`);
    expect([late.status, late.json.message]).toEqual([409, "Der Server wird gerade umgeschaltet."]);
    finish();
    await expect.poll(read).toMatchObject({ state: { Status: "exited" }, auto_stop_at: null });
    expect(engine.calls).toEqual(["stop arena"]);
    expect(await read()).toMatchObject({ changed_by: null, changed_at: toIso(began + 35 * minute) });
  });

  test("an app restart does not change the time of a game server's automatic stop", async () => {
    await add(20);
    await run();
    const began = app.clock.time;
    await expect.poll(read).toMatchObject({ auto_stop_at: toIso(began + 20 * minute) });
    app.clock.time += 10 * minute;
    const second = await app.reopen();
    await second.close();
    expect(await read()).toMatchObject({ auto_stop_at: toIso(began + 20 * minute) });
    app.clock.time = began + 20 * minute;
    await expect.poll(read).toMatchObject({ state: { Status: "exited" } });
  });
});
