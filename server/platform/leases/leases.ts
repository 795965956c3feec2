import { randomUUID } from "node:crypto";

import { sql } from "kysely";

import type { Db } from "#server/db/connect.ts";
import type { Log } from "#server/platform/log.ts";
import { every, seconds } from "#server/time.ts";

/** The right to do a task alone, which this instance holds or waits for. */
export interface Lease {
  /** Resolves after the first attempt to acquire the lease, successful or not. */
  readonly known: Promise<void>;
  /** Ends the lease, so that another instance can acquire it at once. Never rejects. */
  release(): Promise<void>;
}

/** Called when the lease is acquired. The signal is aborted when the lease is lost or released. */
export type OnAcquire = (signal: AbortSignal) => void;

export interface Leases {
  /** Acquires the lease of this name, as soon as no other instance holds it. */
  acquire(name: string, onAcquire: OnAcquire): Lease;
  /** Returns the number of running instances, as it was a moment ago; at least 1. */
  countInstances(): number;
  /** Ends the counting of this instance. */
  close(): Promise<void>;
}

/** Creates the leases on SQLite, where only one instance runs: each is acquired at once. */
export function createLocalLeases(): Leases {
  return {
    acquire(_name, onAcquire) {
      const held = new AbortController();
      onAcquire(held.signal);
      return { known: Promise.resolve(), release: async () => held.abort() };
    },
    countInstances: () => 1,
    close: async () => {},
  };
}

/** Time after which a lease that is not renewed can be acquired by another instance. */
const lifetime = seconds(3.5);
/**
 * Time without a successful renewal after which the holder stops its task. Shorter than `lifetime`,
 * so that two instances never do the task at once.
 */
const giveUpAfter = seconds(2.5);
const renewInterval = seconds(1);
const checkInterval = 100;
/** Number of the advisory lock that the leader of release 1.0.0 holds instead of a lease. */
const formerLeaderLock = 5_103_001;

const instancePrefix = "instance ";
const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/**
 * Creates the leases on PostgreSQL: rows that the holder renews every second, by the clock of the
 * database. They need no session, so they work behind a transaction pooler. After the holder has
 * died, another instance acquires the lease within five seconds.
 */
export function createPostgresLeases({ db, log }: { db: Db; log: Log }): Leases {
  const holder = randomUUID();
  let instances = 1;

  /** Acquires or renews the lease; returns `false` if another instance holds it. */
  async function claim(name: string): Promise<boolean> {
    const { rows } = await sql`
      insert into leases (name, holder, expires_at)
      select ${name}, ${holder}, ${now} + ${lifetime}
      where not exists (
        select 1 from pg_locks
        where locktype = 'advisory' and granted and classid = 0 and objid = ${formerLeaderLock}
        and database = (select oid from pg_database where datname = current_database())
      )
      on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where leases.holder = excluded.holder or leases.expires_at < ${now}
      returning name`.execute(db);
    return rows.length > 0;
  }

  function acquire(name: string, onAcquire: OnAcquire): Lease {
    const { promise: known, resolve: setKnown } = Promise.withResolvers<void>();
    let held: AbortController | null = null;
    let renewedAt = -Infinity;
    let isReleased = false;
    let hasFailed = false;

    function lose(): void {
      held?.abort();
      held = null;
    }

    async function renew(): Promise<void> {
      const startedAt = performance.now();
      try {
        const isHeld = await claim(name);
        hasFailed = false;
        // The answer can be too late for the lease to be still valid.
        if (isReleased || !isHeld || performance.now() - startedAt >= giveUpAfter) return lose();
        renewedAt = startedAt;
        if (!held) onAcquire((held = new AbortController()).signal);
      } catch (error) {
        if (!hasFailed) log.warn("lease-not-renewed", { lease: name, error: String(error) });
        hasFailed = true;
      } finally {
        setKnown();
      }
    }

    const ignore = (): void => {};
    const stops = [
      every(renewInterval, renew, ignore),
      every(checkInterval, () => void (performance.now() - renewedAt >= giveUpAfter && lose()), ignore),
    ];
    void renew();
    return {
      known,
      async release() {
        isReleased = true;
        for (const stop of stops) stop();
        lose();
        await db
          .deleteFrom("leases")
          .where("name", "=", name)
          .where("holder", "=", holder)
          .execute()
          .catch((error: unknown) => log.warn("lease-not-released", { lease: name, error: String(error) }));
      },
    };
  }

  async function count(): Promise<void> {
    await db.deleteFrom("leases").where("name", "like", `${instancePrefix}%`).where("expires_at", "<", now).execute();
    const { rows } = await sql<{ instances: number }>`
      select count(*) as instances from leases where name like ${`${instancePrefix}%`}`.execute(db);
    instances = Math.max(1, Number(rows[0]?.instances));
  }

  const own = acquire(instancePrefix + holder, () => {});
  const stopCounting = every(seconds(2), count, () => {});

  return {
    acquire,
    countInstances: () => instances,
    async close() {
      stopCounting();
      await own.release();
    },
  };
}
