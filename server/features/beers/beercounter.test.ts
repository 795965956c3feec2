import { beforeEach, describe, expect, test } from "vitest";

import { inTransaction } from "#server/db/connect.ts";
import type { Client, ClientResponse } from "#test/client.ts";
import { connectPage } from "#test/socket-client.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import { bookBeers } from "./actions.ts";
import { findGroupTotal } from "./store.ts";

const counters = "/api/beercounter/counters";
let app: TestApp;
let anna: Client;
let ben: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna");
  ben = await app.createMember("ben");
});

const versionOf = ({ headers }: ClientResponse) => Number(headers["counters-version"]);

describe("tap", () => {
  test("a tap counts for the group and for the member", async () => {
    expect((await anna.post(counters)).json).toEqual({ KSKCounterVal: 1, userCounterVal: 1 });
    expect((await anna.post(counters)).json).toEqual({ KSKCounterVal: 2, userCounterVal: 2 });
    expect((await ben.post(counters)).json).toEqual({ KSKCounterVal: 3, userCounterVal: 1 });
    expect((await anna.get(counters)).json).toEqual({ KSKCounterVal: 3, userCounterVal: 2 });
  });

  test(
    "a retry of a tap with the same idempotency key does not count and gets the first answer, even a day later",
    { tags: "postgres" },
    async () => {
      const first = await anna.post(counters, undefined, { "idempotency-key": "anna-tap-1" });
      await ben.post(counters);
      app.clock.time += 25 * 60 * 60_000;
      await anna.post("/api/login", { uname: "anna", password });
      const again = await anna.post(counters, undefined, { "idempotency-key": "anna-tap-1" });
      expect(first.headers["idempotent-replayed"]).toBeUndefined();
      expect(again.headers["idempotent-replayed"]).toBe("true");
      expect(again.text).toBe(first.text);
      expect((await anna.get(counters)).json).toEqual({ KSKCounterVal: 2, userCounterVal: 1 });
    },
  );

  test("two members can book a beer each with the same idempotency key", async () => {
    await anna.post(counters, undefined, { "idempotency-key": "one-and-the-same" });
    const answer = await ben.post(counters, undefined, { "idempotency-key": "one-and-the-same" });
    expect(answer.json).toEqual({ KSKCounterVal: 2, userCounterVal: 1 });
    expect(answer.headers["idempotent-replayed"]).toBeUndefined();
  });

  test("simultaneous taps with the same idempotency key book one beer", { tags: "postgres" }, async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => anna.post(counters, undefined, { "idempotency-key": "twenty-fold" })),
    );
    const booked = answers.filter(({ status }) => status === 200);
    expect(new Set(booked.map(({ text }) => text))).toEqual(new Set(['{"KSKCounterVal":1,"userCounterVal":1}']));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect((await anna.get(counters)).json).toEqual({ KSKCounterVal: 1, userCounterVal: 1 });
  });

  test.each(["short", "x".repeat(65), "umlaut-ä-key", "blank in key"])(
    "a tap with the malformed idempotency key %j is refused",
    async (key) => {
      const answer = await anna.post(counters, undefined, { "idempotency-key": Buffer.from(key).toString("latin1") });
      expect(answer.status).toBe(422);
      expect((await anna.get(counters)).json.KSKCounterVal).toBe(0);
    },
  );

  test(
    "the answers to simultaneous taps have consecutive totals and counters versions",
    { tags: "postgres" },
    async () => {
      const clients = [anna, ben];
      const answers = await Promise.all(Array.from({ length: 150 }, (_, index) => clients[index % 2]!.post(counters)));
      const totals = answers.map(({ json }) => json.KSKCounterVal as number).toSorted((one, other) => one - other);
      expect(totals).toEqual(Array.from({ length: 150 }, (_, index) => index + 1));
      const distances = answers.map((answer) => versionOf(answer) - answer.json.KSKCounterVal);
      expect(new Set(distances).size).toBe(1);
      expect((await ben.get(counters)).json).toEqual({ KSKCounterVal: 150, userCounterVal: 75 });
    },
  );
});

test(
  "only the new taps are counted if a retried tap is booked with them in one transaction",
  { tags: "postgres" },
  async () => {
    const userId = await app.createUser("greta");
    const tap = (key: string) => ({ userId, key, at: app.clock.time });
    const book = (...keys: string[]) =>
      inTransaction(app.db, (tx) => bookBeers(tx, keys.map(tap), app.config.timeZone));
    const [first] = await book("tap-number-1");
    const version = first!.version!;
    expect(await book("tap-number-2", "tap-number-1", "tap-number-3")).toEqual([
      { isReplayed: false, totals: { group: 2, own: 2 }, version: version + 1 },
      { isReplayed: true, totals: { group: 1, own: 1 }, version: null },
      { isReplayed: false, totals: { group: 3, own: 3 }, version: version + 2 },
    ]);
    expect(await findGroupTotal(app.db)).toMatchObject({ total: 3, version: version + 2 });
  },
);

describe("counters version", () => {
  const remove = (path: string) => anna.delete(path);

  test("the counters version rises with every beer and every undo", async () => {
    const first = versionOf(await anna.post(counters, undefined, { "idempotency-key": "anna-tap-1" }));
    expect(versionOf(await ben.post(counters))).toBe(first + 1);
    const undone = await remove("/api/beercounter/taps/anna-tap-1");
    expect([versionOf(undone), undone.json]).toEqual([first + 2, { KSKCounterVal: 1, userCounterVal: 0 }]);
    expect(versionOf(await ben.get(counters))).toBe(first + 2);
    expect(versionOf(await remove("/api/beercounter/taps/anna-tap-1"))).toBe(first + 2);
    expect(undone.headers["access-control-expose-headers"]).toBe("Counters-Version");
  });

  test("the answer to a tap and the event about its beer have the same counters version", async () => {
    const socket = await connectPage(app, ben);
    const answer = await anna.post(counters);
    expect((await socket.next("updated")).data).toMatchObject({ counterVal: 1, version: versionOf(answer) });
  });

  test("the answer to a retried tap has no counters version, because its totals are outdated", async () => {
    const tap = () => anna.post(counters, undefined, { "idempotency-key": "anna-tap-1" });
    const first = await tap();
    await ben.post(counters);
    const again = await tap();
    expect([again.status, again.text, again.headers["counters-version"]]).toEqual([200, first.text, undefined]);
    expect(versionOf(await anna.get(counters))).toBe(versionOf(first) + 1);
  });
});

describe("the ranking", () => {
  test("the ranking contains every enabled member, even members without beers", async () => {
    await app.createUser("carla");
    await ben.post(counters);
    const { users } = (await anna.get("/api/beercounter/stats/user")).json;
    expect(users).toEqual([
      { id: 2, name: "Ben", uname: "ben", profile_picture: null, beercounter_entries_count: 1 },
      { id: 1, name: "Anna", uname: "anna", profile_picture: null, beercounter_entries_count: 0 },
      { id: 3, name: "Carla", uname: "carla", profile_picture: null, beercounter_entries_count: 0 },
    ]);
  });
});
