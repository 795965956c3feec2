// Also on PostgreSQL: these tests need its LISTEN and NOTIFY.
import { Client } from "pg";
import { afterEach, describe, expect, test, vi } from "vitest";

import { createPostgresBus } from "./bus-postgres.ts";
import type { Bus, BusMessage } from "./bus.ts";

const databaseUrl = process.env["TEST_DATABASE_URL"] ?? "";
const isHere = process.env["TEST_DATABASE"] === "postgres" && databaseUrl !== "";
const channel = `bus test ${process.pid}`;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const buses: Bus[] = [];
afterEach(async () => {
  await Promise.all(buses.splice(0).map((bus) => bus.close()));
});

/** Opens a listening bus and records its messages. */
async function open() {
  const bus = createPostgresBus({ databaseUrl, log: silent, channel });
  buses.push(bus);
  const heard: BusMessage[] = [];
  const onGap = vi.fn();
  bus.onMessage((message) => heard.push(message));
  bus.onGap(onGap);
  await expect.poll(() => onGap).toHaveBeenCalled();
  return { bus, heard, onGap };
}

describe.skipIf(!isHere)("the bus on PostgreSQL", () => {
  test("the bus carries messages in order to all other instances, but not back to the sender", async () => {
    const [one, two, three] = [await open(), await open(), await open()];
    const messages = Array.from({ length: 300 }, (_, userId) => ({ kind: "left", userId }) as const);
    await Promise.all(messages.map((message) => one.bus.send(message)));
    for (const { heard } of [two, three]) await expect.poll(() => heard).toEqual(messages);
    expect(one.heard).toEqual([]);
  });

  test("the bus delivers the message of a process that exits right after sending, like the command line", async () => {
    const listener = await open();
    const bus = createPostgresBus({ databaseUrl, log: silent, channel });
    await bus.send({ kind: "access", userId: 7 });
    await bus.close();
    await expect.poll(() => listener.heard).toEqual([{ kind: "access", userId: 7 }]);
  });

  test("the bus reports missed messages (a gap) instead of delivering a message that is too long", async () => {
    const [one, two] = [await open(), await open()];
    const before = two.onGap.mock.calls.length;
    const data = { text: "ä".repeat(4_000) };
    await one.bus.send({ kind: "event", event: "updated", channel: "private-beercounter", data });
    await expect.poll(() => two.onGap.mock.calls.length).toBeGreaterThan(before);
    expect(two.heard).toEqual([]);
  });

  test("the bus reconnects after a lost connection, reports missed messages, and sends the queued ones", async () => {
    const [one, two] = [await open(), await open()];
    const before = [one.onGap.mock.calls.length, two.onGap.mock.calls.length];
    await cutAll();
    const sent = one.bus.send({ kind: "left", userId: 1 });
    await expect.poll(() => one.onGap.mock.calls.length).toBeGreaterThan(before[0]!);
    await expect.poll(() => two.onGap.mock.calls.length).toBeGreaterThan(before[1]!);
    await sent;
    await one.bus.send({ kind: "left", userId: 2 });
    await expect.poll(() => two.heard).toContainEqual({ kind: "left", userId: 2 });
  });

  test("the bus ignores malformed notifications from other programs", async () => {
    const { heard, bus } = await open();
    for (const payload of ["", "{", "null", '{"i":7,"m":{}}', '{"i":"x"}', '{"i":"x","m":[]}']) await notify(payload);
    await notify(JSON.stringify({ i: "another", m: { kind: "bye" } }));
    await expect.poll(() => heard).toEqual([{ kind: "bye" }]);
    await bus.send({ kind: "bye" });
  });
});

describe("the bus without its database", () => {
  test("every send() of the bus resolves while the database is down", async () => {
    const warn = vi.fn();
    const bus = createPostgresBus({ databaseUrl: "postgres://127.0.0.1:1/none", log: { ...silent, warn } });
    const sent = Promise.all(Array.from({ length: 1_500 }, () => bus.send({ kind: "bye" })));
    await expect.poll(() => warn).toHaveBeenCalledWith("bus-connection-lost", expect.anything());
    await bus.close();
    await sent;
  });
});

async function cutAll(): Promise<void> {
  await query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'stammtisch bus' AND datname = current_database() AND query LIKE $1",
    [`%${channel}%`],
  );
}

async function notify(payload: string): Promise<void> {
  await query("SELECT pg_notify($1, $2)", [channel, payload]);
}

async function query(statement: string, values: unknown[]): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(statement, values);
  await client.end();
}
