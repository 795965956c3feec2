import { expect, test } from "vitest";

import { createFakeDriver, fastTimings } from "#test/fake-driver.ts";
import { connectSocket, subscribe } from "#test/socket-client.ts";
import { createTestApp } from "#test/test-app.ts";
import { addGameServer } from "../actions.ts";

const engine = createFakeDriver({ now: () => app.clock.now() });
const timings = { ...fastTimings };
const app = await createTestApp({}, { gameServers: { drivers: { docker: engine.driver }, timings } });
const ben = await app.createMember("ben");

test("replacing the running container of a game server is announced as one restart", async () => {
  const running = () => ({ isAlive: true, status: "running", startedAt: app.clock.time, exitCode: null });
  engine.set("teeworlds", running());
  const settings = { address: null, query: "none", grace_seconds: null, idle_stop_minutes: null } as const;
  const setup = { display_name: "Teeworlds", driver: "docker", ref: "teeworlds", ...settings } as const;
  const path = `/api/game-servers/${await addGameServer(app.context, setup, null)}`;
  const state = async () => (await ben.get(path)).json.state;
  await expect.poll(state).toEqual({ Status: "running", Running: true });
  const page = await connectSocket(app, ben.cookieHeader);
  await subscribe(ben, page, "private-game-servers");

  timings.settleMs = 60_000;
  for (const step of [{ isAlive: false, status: "exited", exitCode: 143 }, null, {}]) {
    engine.set("teeworlds", step);
    // Waits until the manager has observed this step.
    await state();
  }
  timings.settleMs = fastTimings.settleMs;
  app.clock.time += 10_000;
  engine.set("teeworlds", running());
  const messages = () => page.messages.flatMap(({ event, data }) => (event === "updated" ? [data.message] : []));
  await expect.poll(messages).toContain("Teeworlds wurde neu gestartet.");
  expect(messages()).toHaveLength(1);
});
