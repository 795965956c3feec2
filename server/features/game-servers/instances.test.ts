import { beforeEach, describe, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { createFakeDriver, fastTimings } from "#test/fake-driver.ts";
import { connectSocket, subscribe } from "#test/socket-client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { addGameServer, type GameServerSetup, removeGameServer } from "./actions.ts";

const settings = { address: null, query: "none", grace_seconds: null, idle_stop_minutes: null } as const;
const keller: GameServerSetup = { ...settings, display_name: "Keller", driver: "docker", ref: "keller" };

describe("game servers on two instances with one PostgreSQL", { tags: "postgres-only" }, () => {
  let engine: ReturnType<typeof createFakeDriver>;
  let one: TestApp;
  let other: TestApp;
  let ben: Client;
  let id: number;

  beforeEach(async () => {
    engine = createFakeDriver({ now: () => one.clock.now() });
    engine.set("keller", {});
    const timings = { ...fastTimings, remoteMs: 5000, pageMs: 50 };
    one = await createTestApp({}, { gameServers: { drivers: { docker: engine.driver }, timings } });
    ben = await one.createMember("ben");
    id = await addGameServer(one.context, keller, null);
    // The first instance leads the game servers, because it knows their state before the second one starts.
    await expect.poll(() => state(ben)).toEqual({ Status: "created", Running: false });
    other = await one.reopen();
  });

  const state = async (member: Client) => (await member.get(`/api/game-servers/${id}`)).json.state;
  const change = async (member: Client, to: 1 | 2) =>
    (await member.post(`/api/game-servers/${id}`, { state: to })).json.message;

  async function listen(app: TestApp) {
    const page = await connectSocket(app, ben.cookieHeader);
    await subscribe(ben.through(app), page, "private-game-servers");
    return () => page.messages.flatMap(({ event, data }) => (event === "updated" ? [data] : []));
  }

  test("two instances announce each change of a game server once, on whichever instance a member asks for it", async () => {
    const pages = [await listen(one), await listen(other)];
    const there = ben.through(other);
    for (const member of [ben, there]) {
      expect(await change(member, 1)).toBe("Keller wird gestartet.");
      one.clock.time += 5000;
      for (const reader of [ben, there])
        await expect.poll(() => state(reader)).toEqual({ Status: "running", Running: true });
      expect(await change(member, 2)).toBe("Keller wird heruntergefahren.");
      for (const reader of [ben, there])
        await expect.poll(() => state(reader)).toEqual({ Status: "exited", Running: false });
    }
    // An event of each instance, before which all its earlier events arrive.
    const more = await addGameServer(one.context, { ...keller, display_name: "Zweiter" }, null);
    await removeGameServer(other.context, more, null);
    for (const events of pages) {
      await expect.poll(() => events().filter(({ serverId }) => serverId === 0)).toHaveLength(2);
      const messages = events().flatMap(({ message }) => message || []);
      const once = [
        "Keller wird gestartet.",
        "Keller läuft jetzt.",
        "Keller wird heruntergefahren.",
        "Keller ist jetzt aus.",
      ];
      expect(messages.toSorted()).toEqual([...once, ...once].toSorted());
    }
  });

  test("an instance controls the game servers after the crash of the instance that led them", async () => {
    const there = ben.through(other);
    // Without its database, an instance can neither renew nor release its lease, as if it had crashed.
    await one.database.close();
    await expect.poll(() => change(there, 1)).toBe("Keller wird gestartet.");
    await expect.poll(() => state(there)).toMatchObject({ Running: true });
    engine.set("keller", { isAlive: false, status: "exited" });
    await expect.poll(() => state(there)).toMatchObject({ Running: false });
  });

  test("a stop begun by an instance that crashes is not repeated by the instance that leads next, and its end is shown", async () => {
    const there = ben.through(other);
    engine.set("keller", { isAlive: true, status: "running", startedAt: one.clock.time });
    await expect.poll(() => state(there)).toEqual({ Status: "running", Running: true });
    const finish = engine.pause();
    expect(await change(ben, 2)).toBe("Keller wird heruntergefahren.");
    await one.database.close();
    await expect.poll(() => change(there, 1)).toBe("Der Server wird gerade umgeschaltet.");
    expect(await state(there)).toEqual({ Status: "stopping", Running: true });
    finish();
    await expect.poll(() => state(there)).toEqual({ Status: "exited", Running: false });
    one.clock.time += 20_000;
    await expect.poll(() => change(there, 1)).toBe("Keller wird gestartet.");
    expect(engine.calls).toEqual(["stop keller", "start keller"]);
  });
});
