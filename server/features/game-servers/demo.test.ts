import { expect, test } from "vitest";

import { fastTimings } from "#test/fake-driver.ts";
import { createTestApp } from "#test/test-app.ts";
import { seedDemo } from "./demo.ts";

const list = "/api/game-servers";

test("a game server of the demo starts, reports players, outlives an app restart, and stops", async () => {
  const app = await createTestApp({}, { gameServers: { timings: { ...fastTimings, inspectMs: 2000 } } });
  await seedDemo({ ...app.context, members: [], beers: null });
  const ben = await app.createMember("ben");
  const off = { state: { Status: "created", Running: false }, players: null };
  await expect.poll(async () => (await ben.get(list)).json).toMatchObject([off, off, off]);

  const [{ id, display_name: name }] = (await ben.get(list)).json;
  const path = `${list}/${id}`;
  const read = async () => (await ben.get(path)).json;
  expect((await ben.post(path, { state: 1 })).json).toEqual({ message: `${name} wird gestartet.` });
  const playing = { state: { Status: "running", Running: true }, players: { online: 1, max: 8, names: ["Emil"] } };
  await expect.poll(read).toMatchObject(playing);

  const second = await app.reopen();
  const again = second.createClient();
  for (const [key, value] of ben.cookies) again.cookies.set(key, value);
  await expect
    .poll(async () => (await again.get(path)).json)
    .toMatchObject({ ...playing, changed_by: { name: "Ben" } });
  expect((await again.post(path, { state: 1 })).json).toEqual({ message: `${name} läuft bereits.` });
  expect((await again.post(path, { state: 2 })).json).toEqual({ message: `${name} wird heruntergefahren.` });
  await expect.poll(read).toMatchObject({ state: { Running: false }, players: null });
});
