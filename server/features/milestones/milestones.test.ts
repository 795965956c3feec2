// Also on PostgreSQL: milestones are inserted once, by conflict.
import { beforeEach, describe, expect, test } from "vitest";

import { inTransaction } from "#server/db/connect.ts";
import { bookBeers } from "#server/features/beercounter/actions.ts";
import type { Client } from "#test/client.ts";
import { connectSocket, subscribe } from "#test/socket-client.ts";
import type { SocketClient } from "#test/socket.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import { isGroupMilestone, isMemberMilestone, listMemberMilestones } from "./rules.ts";

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

/** As `beers import` books them: 1 is Anna, 2 is Ben. */
async function importBeers(userId: number, count: number): Promise<void> {
  const at = app.clock.time - 24 * 60 * 60_000;
  const taps = Array.from({ length: count }, () => ({ userId, key: null, at }));
  await inTransaction(app.db, (tx) => bookBeers(tx, taps, "Europe/Berlin"));
}

const drink = (client: Client, headers: Record<string, string> = {}) =>
  client.post("/api/beercounter/counters", undefined, headers);
const takeBack = (client: Client, key: string) => client.delete(`/api/beercounter/taps/${key}`);
const received = async () => (await socket.flush()).filter(({ event }) => event === "milestone");

describe("a milestone", () => {
  test("of the group is sent to every open page once, after the beer itself", async () => {
    await importBeers(2, 99);
    await drink(anna, { "idempotency-key": "the-hundredth" });
    const data = { kind: "group", count: 100, userId: 1, userName: "Anna", avatarId: null };
    expect(await received()).toMatchObject([{ channel: "private-beercounter", data }]);
    const names = socket.messages.map(({ event }) => event);
    expect(names.indexOf("milestone")).toBeGreaterThan(names.indexOf("updated"));
    await drink(anna, { "idempotency-key": "the-hundredth" });
    await drink(anna);
    expect(await received()).toHaveLength(1);
  });

  test("of a member comes before one of the group where one beer is both", async () => {
    await importBeers(1, 49);
    await importBeers(2, 50);
    await drink(anna);
    expect((await received()).map(({ data }) => [data.kind, data.count, data.userName])).toEqual([
      ["member", 50, "Anna"],
      ["group", 100, "Anna"],
    ]);
  });

  test("that is taken back and reached again is not celebrated again", async () => {
    await importBeers(1, 49);
    await drink(anna, { "idempotency-key": "the-fiftieth" });
    await takeBack(anna, "the-fiftieth");
    await drink(anna, { "idempotency-key": "once-again" });
    expect(await received()).toHaveLength(1);
  });

  test("is not reached by a beer that is booked later, and not by imported ones", async () => {
    await importBeers(2, 99);
    await drink(anna, { "idempotency-key": "in-the-cellar", "tap-age": "60000" });
    await importBeers(2, 101);
    expect(await received()).toEqual([]);
    expect(await app.db.selectFrom("milestones").selectAll().execute()).toEqual([]);
  });

  test("is reached by one of many beers that arrive together", async () => {
    await importBeers(2, 95);
    await Promise.all(Array.from({ length: 10 }, () => drink(anna)));
    expect((await received()).map(({ data }) => [data.kind, data.count])).toEqual([["group", 100]]);
  });

  test("is deleted with the account of its member", async () => {
    await importBeers(1, 49);
    await drink(anna);
    expect(await app.db.selectFrom("milestones").select("user_id").execute()).toEqual([{ user_id: 1 }]);
    await app.createMember("carla", ["admin"]);
    const form = { uname: "anna", password, beers: "keep" };
    expect((await anna.post("/api/user/delete", form)).status).toBe(200);
    expect(await app.db.selectFrom("milestones").selectAll().execute()).toEqual([]);
  });
});

test("round numbers are every hundredth of the group; of a member 50, 100, 250, 500 and every 500 from there", () => {
  const upTo = (most: number, isRound: (count: number) => boolean) =>
    Array.from({ length: most + 1 }, (_, count) => count).filter(isRound);
  expect(upTo(450, isGroupMilestone)).toEqual([100, 200, 300, 400]);
  expect(upTo(2200, isMemberMilestone)).toEqual([50, 100, 250, 500, 1000, 1500, 2000]);
  for (const beers of [0, 49, 50, 499, 2200])
    expect(listMemberMilestones(beers)).toEqual(upTo(beers, isMemberMilestone));
});
