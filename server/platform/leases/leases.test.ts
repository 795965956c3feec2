import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { type Database, openDatabase } from "#server/db/connect.ts";
import { acquireDatabase, releaseDatabase } from "#test/database.ts";
import { createLocalLeases, createPostgresLeases, type Lease, type Leases } from "./leases.ts";

const ignore = (): void => {};
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

test("a lease on SQLite, which only one instance can use, is acquired at once and held until its release", async () => {
  const signals: AbortSignal[] = [];
  const lease = createLocalLeases().acquire("games", (signal) => void signals.push(signal));
  await lease.known;
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await lease.release();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

describe("leases on PostgreSQL", { tags: "postgres-only" }, () => {
  let url: string;
  let databases: Database[];
  let instances: Leases[];
  let terms: { who: string; signal: AbortSignal }[];

  beforeEach(async () => {
    url = await acquireDatabase();
    [databases, instances, terms] = [[], [], []];
  });

  afterEach(async () => {
    for (const instance of instances) await instance.close();
    for (const database of databases) await database.close();
    await releaseDatabase(url);
  });

  function openInstance(): { leases: Leases; database: Database } {
    const database = openDatabase({ databaseUrl: url, dataDir: "" });
    const leases = createPostgresLeases({ db: database.db, log });
    databases.push(database);
    instances.push(leases);
    return { leases, database };
  }

  const acquire = (who: string, { leases }: { leases: Leases }): Lease =>
    leases.acquire("games", (signal) => void terms.push({ who, signal }));
  const holders = () => terms.filter(({ signal }) => !signal.aborted).map(({ who }) => who);

  test("one of three instances holds a lease, and another acquires it when the holder releases it", async () => {
    const waiting = ["one", "two", "three"].map((who) => [who, acquire(who, openInstance())] as const);
    await Promise.all(waiting.map(([, { known }]) => known));
    expect(holders()).toHaveLength(1);
    const [first] = holders();
    await waiting.find(([who]) => who === first)![1].release();
    expect(terms[0]!.signal.aborted).toBe(true);
    await expect.poll(holders).toHaveLength(1);
    expect(holders()).not.toContain(first);
    for (const [, lease] of waiting) await lease.release();
  });

  test("an instance that loses its database stops before another instance acquires its lease", async () => {
    const [one, two] = [openInstance(), openInstance()];
    const first = acquire("one", one);
    await first.known;
    const second = acquire("two", two);
    await one.database.close();
    let most = 0;
    await expect
      .poll(
        () => {
          most = Math.max(most, holders().length);
          return holders();
        },
        { timeout: 8000, interval: 20 },
      )
      .toEqual(["two"]);
    expect(most).toBe(1);
    await second.release();
    await first.release();
  });

  test("no instance acquires a lease while an instance of release 1.0.0, which elects its leader by a lock, holds that lock", async () => {
    const { database, leases } = openInstance();
    await database.db.connection().execute(async (connection) => {
      const { sql } = await import("kysely");
      await sql`select pg_advisory_lock(5103001)`.execute(connection);
      const lease = acquire("one", { leases });
      await lease.known;
      expect(holders()).toEqual([]);
      await sql`select pg_advisory_unlock(5103001)`.execute(connection);
      await expect.poll(holders).toEqual(["one"]);
      await lease.release();
    });
  });

  test("countInstances returns the number of running instances, without stopped ones", async () => {
    const [one, two] = [openInstance(), openInstance()];
    await expect.poll(() => one.leases.countInstances()).toBe(2);
    await two.leases.close();
    await expect.poll(() => one.leases.countInstances()).toBe(1);
  });
});
