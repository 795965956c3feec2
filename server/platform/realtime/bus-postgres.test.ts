import { Client } from "pg";
import { afterEach, describe, expect, test, vi } from "vitest";

import { inTransaction, openDatabase } from "#server/db/connect.ts";
import { acquireDatabase, releaseDatabase } from "#test/database.ts";
import { createPostgresBus } from "./bus-postgres.ts";
import type { BusMessage } from "./bus.ts";

const wakeChannel = `bus test ${process.pid}`;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Opens buses on one database, and records the messages of each. */
async function openBuses(count: number) {
  const databaseUrl = await acquireDatabase();
  const { db, close } = openDatabase({ databaseUrl, dataDir: "" });
  closing.push(async () => {
    await close();
    await releaseDatabase(databaseUrl);
  });
  const buses = Array.from({ length: count }, () => {
    const bus = createPostgresBus({ db, databaseUrl, log: silent, wakeChannel });
    closing.push(() => bus.close());
    const heard: BusMessage[] = [];
    const onGap = vi.fn();
    bus.onMessage((message) => heard.push(message));
    bus.onGap(onGap);
    return { bus, heard, onGap };
  });
  await expect.poll(() => listeners(databaseUrl)).toBe(count);
  // A bus reads only what is sent after its first read.
  await expect
    .poll(async () => {
      await buses[0]!.bus.send(db, { kind: "access", userId: 0 });
      return buses.every(({ heard }) => heard.length > 0);
    })
    .toBe(true);
  const last = { kind: "access", userId: 1 } as const;
  await buses[0]!.bus.send(db, last);
  for (const { heard } of buses) await expect.poll(() => heard.at(-1)).toEqual(last);
  for (const { heard } of buses) heard.length = 0;
  return { db, databaseUrl, buses };
}

describe("the bus on PostgreSQL", { tags: "postgres-only" }, () => {
  test("messages to all instances that are sent in transactions reach each instance once, in the order of the commits", async () => {
    const { db, buses } = await openBuses(3);
    const messages = Array.from({ length: 50 }, (_, userId) => ({ kind: "access", userId }) as const);
    for (const message of messages) await inTransaction(db, (tx) => buses[0]!.bus.send(tx, message));
    for (const { heard } of buses) await expect.poll(() => heard).toEqual(messages);
    await nextReads();
    for (const { heard } of buses) expect(heard).toEqual(messages);
  });

  test("a message to other instances is not delivered if its transaction is rolled back", async () => {
    const { db, buses } = await openBuses(2);
    const failing = inTransaction(db, async (tx) => {
      await buses[0]!.bus.send(tx, { kind: "access", userId: 7 });
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    await inTransaction(db, (tx) => buses[0]!.bus.send(tx, { kind: "access", userId: 8 }));
    for (const { heard } of buses) await expect.poll(() => heard).toEqual([{ kind: "access", userId: 8 }]);
  });

  test("a message to other instances is delivered even if its transaction commits after later messages were read", async () => {
    const { db, buses } = await openBuses(2);
    const [one, two] = buses;
    const written = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const slow = inTransaction(db, async (tx) => {
      await one!.bus.send(tx, { kind: "access", userId: 1 });
      written.resolve();
      await mayCommit.promise;
    });
    await written.promise;
    for (const userId of [2, 3]) await one!.bus.send(db, { kind: "access", userId });
    await expect.poll(() => two!.heard).toHaveLength(2);
    await nextReads();
    mayCommit.resolve();
    await slow;
    await expect.poll(() => two!.heard.map((message) => "userId" in message && message.userId)).toEqual([2, 3, 1]);
    await nextReads();
    expect(two!.heard).toHaveLength(3);
  });

  test("a message to other instances arrives even if its sender died after the commit and before waking them", async () => {
    const { databaseUrl, buses } = await openBuses(2);
    const message = JSON.stringify({ kind: "access", userId: 9 });
    await query(databaseUrl, "insert into bus_messages (instance, message) values ('dead', $1)", [message]);
    for (const { heard } of buses) await expect.poll(() => heard).toEqual([JSON.parse(message)]);
  });

  test("messages to other instances arrive without a reported gap while PostgreSQL's LISTEN connections are lost", async () => {
    const { db, databaseUrl, buses } = await openBuses(2);
    await query(
      databaseUrl,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stammtisch bus' and datname = current_database()",
    );
    await buses[0]!.bus.send(db, { kind: "access", userId: 1 });
    await expect.poll(() => buses[1]!.heard).toEqual([{ kind: "access", userId: 1 }]);
    expect(buses[1]!.onGap).not.toHaveBeenCalled();
    await expect.poll(() => listeners(databaseUrl)).toBe(2);
    expect(buses.map(({ bus }) => bus.isDeaf())).toEqual([false, false]);
  });

  test("tell() reaches all instances but the sender, even with a message too long for a PostgreSQL notification", async () => {
    const { buses } = await openBuses(2);
    const members = Array.from({ length: 500 }, (_, userId) => ({ userId, name: "Änne", avatarId: null }));
    await buses[0]!.bus.tell({ kind: "roster", members });
    await expect.poll(() => buses[1]!.heard).toEqual([{ kind: "roster", members }]);
    await nextReads();
    expect(buses[0]!.heard).toEqual([]);
  });

  test("messages to other instances are deleted from the database after two minutes", async () => {
    const { db, databaseUrl } = await openBuses(1);
    await query(databaseUrl, "insert into bus_messages (instance, message) values ('a', '{}')");
    await query(databaseUrl, "update bus_messages set sent_at = sent_at - 121000");
    await query(databaseUrl, "insert into bus_messages (instance, message) values ('new', '{\"kind\":\"hello\"}')");
    const starting = createPostgresBus({ db, databaseUrl, log: silent, wakeChannel });
    closing.push(() => starting.close());
    const left = () => db.selectFrom("bus_messages").select("instance").execute();
    await expect.poll(left).toEqual([{ instance: "new" }]);
  });

  test("a message that a command sends to the servers is reported to them as a gap (missed messages)", async () => {
    const { db, databaseUrl, buses } = await openBuses(1);
    const bus = createPostgresBus({ db, databaseUrl, log: silent, wakeChannel });
    await bus.send(db, { kind: "resync" });
    await bus.close();
    await expect.poll(() => buses[0]!.onGap).toHaveBeenCalledOnce();
  });
});

/** Waits until every instance has read twice. */
async function nextReads(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 2100));
}

async function listeners(databaseUrl: string): Promise<number> {
  const { rows } = await query(
    databaseUrl,
    "select count(*)::int as count from pg_stat_activity where application_name = 'stammtisch bus' and datname = current_database() and state = 'idle'",
  );
  return (rows[0] as { count: number }).count;
}

async function query(databaseUrl: string, statement: string, values: unknown[] = []) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const result = await client.query(statement, values);
  await client.end();
  return result;
}
