import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { runInProcess } from "#test/command-line.ts";
import { connectPage, connectSocket, subscribe } from "#test/socket-client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";

const counters = "/api/beercounter/counters";

describe("two instances on one PostgreSQL", { tags: "postgres-only" }, () => {
  let one: TestApp;
  let other: TestApp;

  beforeAll(async () => {
    one = await createTestApp();
    other = await one.reopen();
  });

  // The commands use the system's clock, which must agree with that of the instances.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: one.clock.now() }));

  /** Runs a command on the database of the instances. */
  async function run(line: string): Promise<void> {
    const env = { DATABASE_URL: one.config.databaseUrl!, DATA_DIR: one.config.dataDir };
    expect(await runInProcess(line.split(" "), env)).toMatchObject({ code: 0 });
  }

  test("a toast reaches the member's pages on another instance, at most once per minute across instances", async () => {
    const [emil, frieda] = [await one.createMember("emil"), await one.createMember("frieda")];
    const { id } = (await frieda.get("/api/checkLoginStatus")).json.user;
    const [hers, his] = [await connectPage(other, frieda.through(other)), await connectPage(one, emil)];
    const answers = await Promise.all(
      [emil, emil.through(other), emil, emil.through(other)].map((client) => client.post(`/api/members/${id}/toast`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    await hers.next("toasted");
    // A second toast, or a toast to the sender, would arrive before the events of these changes.
    for (const member of [emil, emil.through(other), frieda])
      await member.post("/api/user/presence", { visibility: "visible" });
    for (const page of [his, his, hers]) await page.next("member-changed");
    expect(hers.messages.filter(({ event }) => event === "toasted")).toHaveLength(1);
    expect(his.messages.filter(({ event }) => event === "toasted")).toEqual([]);
  });

  test("pages refetch the game servers after a command, of which the instances know only that they may have missed messages", async () => {
    const carla = await one.createMember("carla");
    const page = await connectSocket(other, carla.cookieHeader);
    await subscribe(carla.through(other), page, "private-game-servers");
    await run("user list");
    const { data } = await page.next("updated");
    expect(data).toEqual({
      userId: null,
      serverId: 0,
      message: "",
      userName: null,
      avatarId: null,
      is_failure: false,
      failed_start_at: null,
    });
  });

  test("a logout and a disabled account close the member's sockets on the other instance", async () => {
    const [bert, dora] = [await one.createMember("bert"), await one.createMember("dora")];
    const [his, hers] = [await connectPage(other, bert.through(other)), await connectPage(other, dora.through(other))];
    await bert.post("/api/logout");
    await run("user disable dora");
    expect([await his.closed, await hers.closed]).toEqual([4009, 4009]);
    expect((await dora.through(other).get(counters)).status).toBe(401);
  });

  test("old and new CSRF tokens are valid on both instances after a rotated app key and one restart", async () => {
    const gustav = await one.createMember("gustav");
    await gustav.get("/sanctum/csrf-cookie");
    await run("secrets rotate app-key");
    const restarted = await one.reopen();
    const fresh = gustav.through(restarted);
    await fresh.get("/sanctum/csrf-cookie");
    expect(fresh.csrfToken).not.toBe(gustav.csrfToken);
    const pages = [gustav, gustav.through(restarted), fresh, fresh.through(one)];
    for (const page of pages) expect((await page.post(counters)).status).toBe(200);
  });

  test("a tap sent to both instances at the same time with the same idempotency key books one beer", async () => {
    const hans = await one.createMember("hans");
    const before = (await hans.get(counters)).json.KSKCounterVal;
    const there = hans.through(other);
    for (let round = 0; round < 20; round += 1) {
      const headers = { "idempotency-key": `both-at-once-${round}` };
      const answers = await Promise.all([
        hans.post(counters, undefined, headers),
        there.post(counters, undefined, headers),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(answers[0].json).toEqual(answers[1].json);
    }
    expect((await hans.get(counters)).json.KSKCounterVal).toBe(before + 20);
  });
});
