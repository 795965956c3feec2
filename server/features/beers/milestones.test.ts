import { beforeEach, describe, expect, test } from "vitest";

import { inTransaction } from "#server/db/connect.ts";
import type { Client } from "#test/client.ts";
import { connectSocket, subscribe } from "#test/socket-client.ts";
import type { SocketClient } from "#test/socket.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import { bookBeers } from "./actions.ts";
import { isGroupMilestone, isMemberMilestone, listMemberMilestones } from "./milestone-rules.ts";

let app: TestApp;
let anna: Client;
let ben: Client;
let socket: SocketClient;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna");
  ben = await app.createMember("ben");
  socket = await connectSocket(app, ben.cookieHeader);
  await subscribe(ben, socket, "private-beercounter");
});

/** Books beers like the `import` command. The user 1 is Anna, the user 2 is Ben. */
async function importBeers(userId: number, count: number): Promise<void> {
  const at = app.clock.time - 24 * 60 * 60_000;
  const taps = Array.from({ length: count }, () => ({ userId, key: null, at }));
  await inTransaction(app.db, (tx) => bookBeers(tx, taps, "Europe/Berlin"));
}

const drink = (client: Client, headers: Record<string, string> = {}) =>
  client.post("/api/beercounter/counters", undefined, headers);
const takeBack = (client: Client, key: string) => client.delete(`/api/beercounter/taps/${key}`);
const received = async () => (await socket.flush()).filter(({ event }) => event === "milestone");

describe("milestones", () => {
  test(
    "a milestone of the group is sent to open pages only once, after the event of its beer",
    { tags: "postgres" },
    async () => {
      await importBeers(2, 99);
      await drink(anna, { "idempotency-key": "the-hundredth" });
      const data = { kind: "group", count: 100, userId: 1, userName: "Anna", avatarId: null };
      expect(await received()).toMatchObject([{ channel: "private-beercounter", data }]);
      const names = socket.messages.map(({ event }) => event);
      expect(names.indexOf("milestone")).toBeGreaterThan(names.indexOf("updated"));
      await drink(anna, { "idempotency-key": "the-hundredth" });
      await drink(anna);
      expect(await received()).toHaveLength(1);
    },
  );

  test("a beer that reaches two milestones sends the member's milestone before the group's", async () => {
    await importBeers(1, 49);
    await importBeers(2, 50);
    await drink(anna);
    expect((await received()).map(({ data }) => [data.kind, data.count, data.userName])).toEqual([
      ["member", 50, "Anna"],
      ["group", 100, "Anna"],
    ]);
  });

  test("a milestone whose beer is undone is not sent again when it is reached again", async () => {
    await importBeers(1, 49);
    await drink(anna, { "idempotency-key": "the-fiftieth" });
    await takeBack(anna, "the-fiftieth");
    await drink(anna, { "idempotency-key": "once-again" });
    expect(await received()).toHaveLength(1);
  });

  test("late and imported beers cause no milestone event", async () => {
    await importBeers(2, 99);
    await drink(anna, { "idempotency-key": "in-the-cellar", "tap-age": "60000" });
    await importBeers(2, 101);
    expect(await received()).toEqual([]);
    expect(await app.db.selectFrom("milestones").selectAll().execute()).toEqual([]);
  });

  test("a quiet member's beer reaches the group's milestone without a name, and no milestone of the member", async () => {
    await importBeers(1, 49);
    await importBeers(2, 50);
    await anna.post("/api/user/presence", { visibility: "quiet" });
    await drink(anna);
    const nobody = { userId: null, userName: null, avatarId: null };
    expect((await received()).map(({ data }) => data)).toEqual([{ kind: "group", count: 100, ...nobody }]);
  });

  test("nine concurrent beers cause only one event for the group's hundredth beer", { tags: "postgres" }, async () => {
    await importBeers(2, 95);
    await Promise.all(Array.from({ length: 9 }, () => drink(anna)));
    expect((await received()).map(({ data }) => [data.kind, data.count])).toEqual([["group", 100]]);
  });

  test("a member's milestones are deleted with the account", async () => {
    await importBeers(1, 49);
    await drink(anna);
    expect(await app.db.selectFrom("milestones").select("user_id").execute()).toEqual([{ user_id: 1 }]);
    await app.createMember("carla", ["admin"]);
    const form = { uname: "anna", password, beers: "keep" };
    expect((await anna.post("/api/user/delete", form)).status).toBe(200);
    expect(await app.db.selectFrom("milestones").selectAll().execute()).toEqual([]);
  });
});

test("milestones are the first beers and every 100th of the group, and certain beers of a member", () => {
  const upTo = (most: number, isRound: (count: number) => boolean) =>
    Array.from({ length: most + 1 }, (_, count) => count).filter(isRound);
  expect(upTo(450, isGroupMilestone)).toEqual([1, 10, 25, 100, 200, 300, 400]);
  expect(upTo(2200, isMemberMilestone)).toEqual([10, 50, 100, 250, 500, 1000, 1500, 2000]);
  for (const beers of [0, 9, 49, 50, 499, 2200])
    expect(listMemberMilestones(beers)).toEqual(upTo(beers, isMemberMilestone));
});
