import { beforeAll, describe, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { subscribeToUser, subscribeToChannel } from "./channel-socket.ts";
import { startTwoInstances, type ServerProcess } from "./server-process.ts";

const counters = "/api/beercounter/counters";

/** Two instances that share only the database and have the same public address. */
describe.skipIf(!process.env["TEST_DATABASE_URL"])("two instances on one PostgreSQL", () => {
  let one: ServerProcess;
  let other: ServerProcess;

  beforeAll(async () => {
    const instances = await startTwoInstances();
    ({ one, other } = instances);
    return instances[Symbol.asyncDispose];
  });

  test("a toast reaches the member's pages on another instance, at most once per minute across instances", async () => {
    const [emil, frieda] = (await one.createMembers("emil", "frieda")) as [Client, Client];
    const hers = (await frieda.get("/api/checkLoginStatus")).json.user.id as number;
    const [there, his] = [await subscribeToUser(other, frieda.through(other.port)), await subscribeToUser(one, emil)];
    const answers = await Promise.all(
      [emil, emil.through(other.port), emil, emil.through(other.port)].map((client) =>
        client.post(`/api/members/${hers}/toast`),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    await expect.poll(() => there.events.map(({ event }) => event)).toEqual(["toasted"]);
    // A wrongly sent second toast would arrive before this presence event.
    await emil.post("/api/user/presence", { is_shown: true, is_paused: false });
    await frieda.post("/api/user/presence", { is_shown: true, is_paused: false });
    await expect.poll(() => there.events.map(({ event }) => event)).toEqual(["toasted", "member-changed"]);
    await expect.poll(() => his.events.map(({ event }) => event)).toEqual(["member-changed"]);
    for (const socket of [there, his]) socket.close();
  });

  test("pages refetch the game servers if messages between the instances may have been lost", async () => {
    const [gerda] = (await one.createMembers("gerda")) as [Client];
    await one.call("user", "grant", "gerda", "see-game-servers");
    const there = await subscribeToChannel(other, gerda.through(other.port), "private-game-servers");
    // After a command, the instances know only that they may have missed messages.
    await one.call("user", "list");
    const readAgain = {
      userId: null,
      serverId: 0,
      message: "",
      userName: null,
      avatarId: null,
      is_failure: false,
      failed_start_at: null,
    };
    await expect.poll(() => there.events[0]?.data).toEqual(readAgain);
    there.close();
  });

  test("a logout and a disabled account close the member's sockets on the other instance within 5 s", async () => {
    const [bert, carla] = (await one.createMembers("bert", "carla")) as [Client, Client];
    const [his, hers] = [
      await subscribeToChannel(other, bert.through(other.port)),
      await subscribeToChannel(other, carla.through(other.port)),
    ];
    const began = performance.now();
    await bert.post("/api/logout");
    await one.call("user", "disable", "carla");
    for (const { closed } of [his, hers]) {
      const { code, at } = await closed;
      expect(code).toBe(4009);
      expect(at - began).toBeLessThan(5000);
    }
    expect((await carla.through(other.port).get(counters)).status).toBe(401);
  });

  test("members can tap on both instances with old and new CSRF tokens after the app key is rotated and one instance restarted", async () => {
    const [gustav] = (await one.createMembers("gustav")) as [Client];
    await one.call("secrets", "rotate", "app-key");
    other.signal("SIGTERM");
    await other.exited();
    await other.start();
    const fresh = gustav.through(other.port);
    await fresh.get("/sanctum/csrf-cookie");
    expect(fresh.csrfToken).not.toBe(gustav.csrfToken);
    const pages = [gustav, gustav.through(other.port), fresh, fresh.through(one.port)];
    for (const page of pages) expect((await page.post(counters)).status).toBe(200);
  });

  test("a tap sent to both instances at the same time with the same idempotency key books one beer", async () => {
    const [dora] = await one.createMembers("dora");
    const before = (await dora!.get(counters)).json.KSKCounterVal;
    const there = dora!.through(other.port);
    for (let round = 0; round < 20; round += 1) {
      const headers = { "idempotency-key": `both-at-once-${round}` };
      const answers = await Promise.all([
        dora!.post(counters, undefined, headers),
        there.post(counters, undefined, headers),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(answers[0].json).toEqual(answers[1].json);
    }
    expect((await dora!.get(counters)).json.KSKCounterVal).toBe(before + 20);
  });
});
