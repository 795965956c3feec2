import { beforeEach, describe, expect, test } from "vitest";

import type { ClientResponse, Client } from "#test/client.ts";
import { expectErrors } from "#test/expect-response.ts";
import { connectSocket, subscribe } from "#test/socket-client.ts";
import type { SocketClient } from "#test/socket.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";

const counters = "/api/beercounter/counters";
const minute = 60_000;
const day = 24 * 60 * minute;
let app: TestApp;
let anna: Client;
let ben: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna");
  ben = await app.createMember("ben");
});

describe("undo", () => {
  test("an undo lowers every count, and other members get the new total without the name of the member", async () => {
    await drink(ben, "bens-first");
    const socket = await listen(ben);
    await drink(anna, "annas-tap");
    await expect.poll(() => socket.messages.at(-1)?.data.counterVal).toBe(2);
    await socket.flush();
    const answer = await remove(anna, "/api/beercounter/taps/annas-tap");
    expect([answer.status, answer.json]).toEqual([200, { KSKCounterVal: 1, userCounterVal: 0 }]);
    await expect.poll(() => socket.messages.at(-1)?.data.counterVal).toBe(1);
    const { data } = socket.messages.at(-1)!;
    expect(data).toEqual({ counterVal: 1, userId: null, userName: null, avatarId: null, version: data.version });
    expect((await ben.get(counters)).json).toEqual({ KSKCounterVal: 1, userCounterVal: 1 });
    expect(await charts()).toEqual({ thisWeek: [0, 0, 0, 0, 1, 0, 0], allWeeks: [0, 0, 0, 0, 1, 0, 0], anna: 0 });
    expect(await rows()).toEqual(["bens-first"]);
  });

  test("a beer that was booked without an idempotency key can be undone by its id", async () => {
    await anna.post(counters);
    const { beers } = (await anna.get("/api/beercounter/beers")).json;
    expect(beers).toMatchObject([{ key: null, late: false, removable_seconds: 900 }]);
    const first = await remove(anna, `/api/beercounter/beers/${beers[0].id}`);
    const again = await remove(anna, `/api/beercounter/beers/${beers[0].id}`);
    expect([first.json, first.headers["idempotent-replayed"]]).toEqual([both(0), undefined]);
    expect([again.json, again.headers["idempotent-replayed"]]).toEqual([both(0), "true"]);
    expect((await anna.get("/api/beercounter/beers")).json.beers).toEqual([]);
  });

  test("simultaneous undos of one beer lower the counts only once", { tags: "postgres" }, async () => {
    await drink(anna, "keep-this-one");
    await drink(anna, "annas-tap");
    const answers = await Promise.all(Array.from({ length: 8 }, () => remove(anna, "/api/beercounter/taps/annas-tap")));
    expect(answers.map(({ status, json }) => [status, json])).toEqual(answers.map(() => [200, both(1)]));
    const replays = answers.filter(({ headers }) => headers["idempotent-replayed"] === "true");
    expect(replays, "all but one say that it had been taken back").toHaveLength(7);
    expect(await rows()).toEqual(["keep-this-one"]);
  });

  test("a retried tap of an undone beer gets the first answer and does not count", { tags: "postgres" }, async () => {
    const first = await drink(anna, "annas-tap");
    await remove(anna, "/api/beercounter/taps/annas-tap");
    const again = await drink(anna, "annas-tap");
    expect([again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([200, first.text, "true"]);
    expect((await anna.get(counters)).json).toEqual(both(0));
  });

  test("an undo that arrives before its tap prevents the tap from being booked", { tags: "postgres" }, async () => {
    const early = await remove(anna, "/api/beercounter/taps/on-its-way");
    expect([early.json, early.headers["idempotent-replayed"]]).toEqual([both(0), undefined]);
    expect((await drink(anna, "on-its-way")).status).toBe(200);
    expect((await anna.get(counters)).json).toEqual(both(0));
    expect((await drink(ben, "on-its-way")).json).toEqual(both(1));
  });

  test("an undo that is sent at the same time as its tap always wins", { tags: "postgres" }, async () => {
    for (let round = 0; round < 20; round++) {
      const key = `race-number-${round}`;
      await Promise.all([drink(anna, key), remove(anna, `/api/beercounter/taps/${key}`)]);
      await drink(anna, key);
    }
    expect((await anna.get(counters)).json).toEqual(both(0));
    expect(await rows()).toEqual([]);
  });

  test("rejects an undo of another member's beer", async () => {
    await drink(anna, "annas-tap");
    const [{ id }] = (await anna.get("/api/beercounter/beers")).json.beers;
    expect((await remove(ben, `/api/beercounter/beers/${id}`)).status).toBe(404);
    expect((await remove(ben, "/api/beercounter/taps/annas-tap")).status).toBe(200);
    expect((await ben.get("/api/beercounter/beers")).json.beers).toEqual([]);
    expect((await anna.get(counters)).json).toEqual(both(1));
  });

  test("an undo is refused 15 minutes after the booking by the server's clock", async () => {
    await drink(anna, "annas-tap");
    app.clock.time += 15 * minute - 1;
    expect((await anna.get("/api/beercounter/beers")).json.beers).toMatchObject([{ removable_seconds: 1 }]);
    app.clock.time += 1;
    const answer = await remove(anna, "/api/beercounter/taps/annas-tap");
    expect(answer.status).toBe(403);
    expect(answer.json.message).toBe("Zu spät: Ein Bier lässt sich nur 15 Minuten lang zurücknehmen.");
    expect((await anna.get(counters)).json).toEqual(both(1));
    expect((await anna.get("/api/beercounter/beers")).json.beers).toMatchObject([{ removable_seconds: 0 }]);
    app.clock.time += day;
    anna = await back("anna");
    expect((await anna.get("/api/beercounter/beers")).json.beers).toEqual([]);
  });

  test("an undo after midnight lowers the count of the day on which the beer was drunk", async () => {
    app.clock.time = Date.parse("2026-11-22T22:55:00Z");
    [anna, ben] = [await back("anna"), await back("ben")];
    await drink(ben, "sunday-five-to-twelve");
    await drink(anna, "annas-tap");
    app.clock.time = Date.parse("2026-11-22T23:05:00Z");
    await drink(ben, "monday-five-past-twelve");
    await remove(anna, "/api/beercounter/taps/annas-tap");
    expect(await days()).toEqual({ "2026-11-22": 1, "2026-11-23": 1 });
    // Ben undoes his Sunday beer, so the group's first beer is on Monday.
    await remove(ben, "/api/beercounter/taps/sunday-five-to-twelve");
    expect(await days()).toEqual({ "2026-11-23": 1 });
    expect(await charts()).toMatchObject({ thisWeek: [1, 0, 0, 0, 0, 0, 0], allWeeks: [1, 0, 0, 0, 0, 0, 0] });
    const { first_day } = await app.db.selectFrom("beer_group").selectAll().executeTakeFirstOrThrow();
    expect(first_day).toBe("2026-11-23");
  });
});

test("a retried tap publishes no event", async () => {
  await drink(ben, "before-them");
  const socket = await listen(ben);
  await drink(anna, "first-of-them");
  await expect.poll(() => socket.messages.at(-1)?.data.counterVal).toBe(2);
  const { version } = socket.messages.at(-1)!.data;
  await drink(anna, "first-of-them");
  await drink(anna, "the-second-one");
  await expect.poll(() => socket.messages.at(-1)?.data).toMatchObject({ counterVal: 3, version: version + 1 });
});

describe("late beers", () => {
  test("a late beer counts on the day on which it was drunk and is marked as late", async () => {
    const socket = await listen(ben);
    const answer = await drink(anna, "in-the-cellar", { "tap-age": String(2 * day) });
    expect(answer.json).toEqual(both(1));
    expect(await charts()).toMatchObject({ thisWeek: [0, 0, 1, 0, 0, 0, 0] });
    const { beers } = (await anna.get("/api/beercounter/beers")).json;
    expect(beers).toMatchObject([{ at: "2026-11-18T19:30:00.000Z", late: true, removable_seconds: 900 }]);
    // The event of a late beer names no member.
    expect((await socket.next("updated")).data).toMatchObject({ counterVal: 1, userId: null, userName: null });
    const again = await drink(anna, "in-the-cellar", { "tap-age": String(3 * day) });
    expect([again.text, again.headers["idempotent-replayed"]]).toEqual([answer.text, "true"]);
    await remove(anna, "/api/beercounter/taps/in-the-cellar");
    expect(await days()).toEqual({});
  });

  test("a tap that is less than a minute old is not marked as late", async () => {
    const socket = await listen(ben);
    await drink(anna, "bad-reception", { "tap-age": "59999" });
    expect((await anna.get("/api/beercounter/beers")).json.beers).toMatchObject([
      { at: "2026-11-20T19:29:00.001Z", late: false },
    ]);
    expect((await socket.next("updated")).data).toMatchObject({ userName: "Anna" });
  });

  test.each([String(7 * day + 1), "-1", "1.5", "1e3", "", "2026-11-18T19:30:00Z"])(
    "a tap whose header Tap-Age is %j is refused",
    async (age) => {
      expect((await drink(anna, "annas-tap", { "tap-age": age })).status).toBe(422);
      expect((await anna.get(counters)).json).toEqual(both(0));
    },
  );

  test("a retried tap that is too old to be booked gets the answer of the first booking, if the same member sends the retry", async () => {
    const answer = await drink(anna, "answer-got-lost");
    const older = { "tap-age": String(20 * day) };
    const again = await drink(anna, "answer-got-lost", older);
    expect([again.text, again.headers["idempotent-replayed"]]).toEqual([answer.text, "true"]);
    expectErrors(await drink(ben, "answer-got-lost", older), { "Tap-Age": ["Es ist älter als eine Woche."] });
    expect((await anna.get(counters)).json).toEqual(both(1));
  });

  test("a late tap without an idempotency key is refused, because a retry would count as a second beer", async () => {
    expect((await anna.post(counters, undefined, { "tap-age": "60000" })).status).toBe(422);
    expect((await drink(anna, "just-in-time", { "tap-age": String(7 * day) })).status).toBe(200);
    expect(await days()).toEqual({ "2026-11-13": 1 });
  });

  test("a tap or an undo is refused if it was made by another member than the member who is logged in", async () => {
    const { id } = (await anna.get("/api/checkLoginStatus")).json.user;
    expect((await drink(anna, "annas-tap", { "tapped-by": String(id) })).status).toBe(200);
    expect((await drink(ben, "annas-other-tap", { "tapped-by": String(id) })).status).toBe(401);
    expect((await remove(ben, "/api/beercounter/taps/annas-tap", { "tapped-by": String(id) })).status).toBe(401);
    expect((await ben.get(counters)).json).toEqual({ KSKCounterVal: 1, userCounterVal: 0 });
  });
});

function drink(client: Client, key: string, headers: Record<string, string> = {}): Promise<ClientResponse> {
  return client.post(counters, undefined, { "idempotency-key": key, ...headers });
}

function remove(client: Client, path: string, headers: Record<string, string> = {}): Promise<ClientResponse> {
  return client.delete(path, headers);
}

/** Logs in again, because the session expires when a test moves the clock. */
async function back(uname: string): Promise<Client> {
  const client = app.createClient();
  await client.post("/api/login", { uname, password });
  return client;
}

async function listen(client: Client): Promise<SocketClient> {
  const socket = await connectSocket(app, client.cookieHeader);
  await subscribe(client, socket, "private-beercounter");
  return socket;
}

const both = (count: number) => ({ KSKCounterVal: count, userCounterVal: count });

async function charts() {
  const client = await back("ben");
  const { users } = (await client.get("/api/beercounter/stats/user")).json;
  const drinker = users.find(({ uname }: { uname: string }) => uname === "anna");
  return {
    ...(await client.get("/api/beercounter/stats/timely")).json,
    anna: drinker.beercounter_entries_count as number,
  };
}

async function days(): Promise<Record<string, number>> {
  const found = await app.db.selectFrom("beer_member_days").selectAll().orderBy("day").execute();
  return Object.fromEntries(found.map(({ day: name, total }) => [name, total]));
}

async function rows(): Promise<(string | null)[]> {
  return (await app.db.selectFrom("beers").select("key").orderBy("id").execute()).map(({ key }) => key);
}
