// Also on PostgreSQL: the test runner repeats this file there, because its leader lock is an
// advisory lock.
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createDatabase, dropDatabase } from "#test/database.ts";
import { acquireLocalLeaderLock, acquirePostgresLeaderLock, type LeaderLock } from "./leader-lock.ts";

const lock = 4711;

test("a local leader lock is held until it is released", async () => {
  const signals: AbortSignal[] = [];
  const post = acquireLocalLeaderLock((signal) => void signals.push(signal));
  await post.known;
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await post.release();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

describe.skipIf(process.env["TEST_DATABASE"] !== "postgres")("PostgreSQL leader lock", () => {
  let url: string;
  const terms: { who: string; signal: AbortSignal }[] = [];
  const posts: Record<string, LeaderLock> = {};

  beforeAll(async () => {
    url = await createDatabase();
  });

  afterAll(async () => {
    for (const post of Object.values(posts)) await post.release();
    await dropDatabase(url);
  });

  const acquire = (who: string): LeaderLock =>
    (posts[who] = acquirePostgresLeaderLock(url, lock, (signal) => void terms.push({ who, signal })));
  const holders = () => terms.filter(({ signal }) => !signal.aborted).map(({ who }) => who);

  test("another instance acquires the leader lock when the holder's connection is cut or the holder releases the lock", async () => {
    await acquire("one").known;
    expect(holders()).toEqual(["one"]);
    await acquire("other").known;
    expect(holders()).toEqual(["one"]);

    await cutHolderConnection();
    await expect.poll(() => terms[0]!.signal.aborted).toBe(true);
    await expect.poll(() => holders().length, { timeout: 5000 }).toBe(1);

    const holder = holders()[0]!;
    await posts[holder]!.release();
    const left = Object.keys(posts).find((who) => who !== holder);
    await expect.poll(holders, { timeout: 5000 }).toEqual([left]);
  });

  /**
   * Cuts the lock holder's database connection, like a permanent network failure. Affects only this
   * test's database.
   */
  async function cutHolderConnection(): Promise<void> {
    const client = new pg.Client(url);
    await client.connect();
    await client.query(
      "select pg_terminate_backend(pid) from pg_locks join pg_database on oid = database " +
        "where locktype = 'advisory' and granted and datname = current_database()",
    );
    await client.end();
  }
});
