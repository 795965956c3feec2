import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { createFakeDriver, fastTimings } from "#test/fake-driver.ts";
import { connectSocket, subscribe } from "#test/socket-client.ts";
import { createTestApp } from "#test/test-app.ts";
import { addGameServer } from "../actions.ts";
import { EngineRefusedError, EngineUnreachableError } from "../drivers/driver.ts";
import { findGameServer } from "../store.ts";

const [starting, stopping, off] = [
  "Teeworlds wird gestartet.",
  "Teeworlds wird heruntergefahren.",
  "Teeworlds ist jetzt aus.",
];
const [failed, running] = ["Teeworlds ließ sich nicht herunterfahren.", "Teeworlds läuft jetzt."];

const engine = createFakeDriver({ now: () => app.clock.now() });
const app = await createTestApp({}, { gameServers: { drivers: { script: engine.driver }, timings: fastTimings } });
const ben = await app.createMember("ben");
const settings = { address: null, query: "none", grace_seconds: null, idle_stop_minutes: null } as const;
let id: number;
let path: string;

beforeEach(async () => {
  engine.reset();
  engine.set("teeworlds", {});
  id = await addGameServer(
    app.context,
    { display_name: "Teeworlds", driver: "script", ref: "teeworlds", ...settings },
    null,
  );
  path = `/api/game-servers/${id}`;
  await expect.poll(state).toEqual({ Status: "created", Running: false });
});

const state = async () => (await ben.get(path)).json.state;

/** Starts (1) or stops (2) the game server, and waits until the change has finished. */
async function change(action: 1 | 2): Promise<string> {
  const { json } = await ben.post(path, { state: action });
  await expect.poll(async () => (await findGameServer(app.db, id))?.changing).toBeNull();
  return json.message;
}

/** Returns a function that lists the messages that members have received since this call. */
async function hear(): Promise<() => string[]> {
  const socket = await connectSocket(app, ben.cookieHeader);
  await subscribe(ben, socket, "private-game-servers");
  return () =>
    socket.messages.flatMap(({ event, data }) =>
      event === "updated" && data.serverId === id && data.message !== "" ? [data.message] : [],
    );
}

test("a game server whose machine is still booting can be stopped; if the stop fails, the start continues", async () => {
  const heard = await hear();
  engine.onStart = () => ({ status: "exited", exitCode: null });
  await change(1);
  expect(await state()).toEqual({ Status: "starting", Running: false });
  expect(await change(2)).toBe(stopping);
  await expect.poll(heard).toEqual([starting, stopping, off]);
  expect(engine.calls).toEqual(["start teeworlds", "stop teeworlds"]);

  vi.spyOn(engine.driver, "stop").mockRejectedValueOnce(new EngineRefusedError("no route to the machine"));
  await change(1);
  expect(await change(2)).toBe(stopping);
  await expect.poll(() => heard().slice(3)).toEqual([starting, stopping, failed]);
  expect(await state()).toEqual({ Status: "starting", Running: false });
  engine.set("teeworlds", { isAlive: true, status: "running" });
  app.clock.time += 5000;
  await expect.poll(() => heard().slice(6)).toEqual([running]);
});

test("a failed stop request is announced as a failure only if the game server still runs", async () => {
  const heard = await hear();
  const stop = vi.spyOn(engine.driver, "stop").mockRejectedValue(new EngineUnreachableError("lost"));
  onTestFinished(() => stop.mockRestore());
  engine.set("teeworlds", { isAlive: true, status: "running" });
  await change(2);
  await expect.poll(() => heard().slice(-3)).toEqual([stopping, failed, running]);

  stop.mockImplementation(async () => {
    engine.set("teeworlds", { isAlive: false, status: "exited", exitCode: 137 });
    throw new EngineUnreachableError("lost");
  });
  await change(2);
  await expect.poll(() => heard().slice(-2)).toEqual([stopping, off]);
  expect(heard().filter((message) => message === failed)).toHaveLength(1);
});
