import { expect, test, vi } from "vitest";

import { inTransaction } from "#server/db/connect.ts";
import { runCommandOn } from "#test/command-line.ts";
import { createFakeDriver, fastTimings } from "#test/fake-driver.ts";
import { connectSocket, subscribe } from "#test/socket-client.ts";
import { createTestApp } from "#test/test-app.ts";
import { addGameServer } from "./actions.ts";
import { commands } from "./commands.ts";
import { createGameServer, deactivatePrograms } from "./store.ts";

const scripts = createFakeDriver({ now: () => app.clock.now() });
const containers = createFakeDriver({ now: () => app.clock.now() });
const drivers = { script: scripts.driver, docker: containers.driver };
const app = await createTestApp({}, { gameServers: { drivers, timings: fastTimings } });
const settings = { address: null, query: "none", grace_seconds: null, idle_stop_minutes: null } as const;
const refusal = "Dieser Game-Server ist noch nicht freigegeben.";

test("the program of a restored game server does not run before the command “game-server enable”", async () => {
  const inspect = vi.spyOn(scripts.driver, "inspect");
  scripts.set("cs.sh", {});
  containers.set("minecraft", {});
  const [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
  const id = await inTransaction(app.db, async (tx) => {
    const restored = await createGameServer(tx, { ...settings, display_name: "CS", driver: "script", ref: "cs.sh" }, 1);
    await deactivatePrograms(tx);
    return restored;
  });
  const path = `/api/game-servers/${id}`;
  const read = async () => (await ben.get(path)).json;
  const page = await connectSocket(app, ben.cookieHeader);
  await subscribe(ben, page, "private-game-servers");

  expect(await read()).toMatchObject({ state: null, is_active: false, is_missing: false, players: null });
  for (const state of [1, 2]) {
    const answer = await ben.post(path, { state });
    expect([answer.status, answer.json.message]).toEqual([409, refusal]);
  }
  const kept = await ben.post(`${path}/keep-running`);
  expect([kept.status, kept.json.message]).toEqual([409, refusal]);
  expect((await anna.post(`/api/admin/game-servers/${id}/test`)).json).toEqual({ ok: false, message: refusal });
  const form = { display_name: "CS:GO", address: null, query: "none", grace: null, idle_stop: null };
  expect((await anna.post(`/api/admin/game-servers/${id}`, form)).status).toBe(200);
  expect((await anna.get("/api/admin/game-servers")).json).toMatchObject([
    { display_name: "CS:GO", state: null, is_active: false },
  ]);
  // Checks that the supervisor still polls active game servers.
  const other = { ...settings, display_name: "Minecraft", driver: "docker", ref: "minecraft" } as const;
  const containerId = await addGameServer(app.context, other, null);
  await expect.poll(async () => (await ben.get(`/api/game-servers/${containerId}`)).json.state).not.toBeNull();
  expect(inspect).not.toHaveBeenCalled();
  expect(scripts.calls).toEqual([]);

  const enable = (nameOrId: string) => runCommandOn(app, commands, "game-server enable", [nameOrId]);
  expect(await enable("CS:GO")).toMatchObject({
    json: { id, display_name: "CS:GO" },
    text: `${id}\tCS:GO\tscript cs.sh`,
  });
  await expect.poll(read).toMatchObject({ state: { Status: "created", Running: false }, is_active: true });
  await expect.poll(() => page.messages.filter(({ data }) => data?.serverId === id).length).toBeGreaterThan(0);
  expect((await ben.post(path, { state: 1 })).json.message).toBe("CS:GO wird gestartet.");
  expect(scripts.calls).toEqual(["start cs.sh"]);
  const texts = (await anna.get("/api/admin/audit")).json.entries.map(({ text }: { text: string }) => text);
  expect(texts[0]).toBe("Game-Server „CS:GO“ freigegeben.");

  expect((await enable(String(id))).json).toEqual({ id, display_name: "CS:GO" });
  const after = (await anna.get("/api/admin/audit")).json.entries;
  expect(after).toHaveLength(texts.length);
});
