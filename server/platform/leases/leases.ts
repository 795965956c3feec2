import { randomUUID } from "node:crypto";

import type { Db } from "#server/db/connect.ts";
import type { Log } from "#server/platform/log.ts";
import { every, seconds } from "#server/time.ts";
import * as store from "./store.ts";

/** The right to do a task alone, which this instance holds or waits for. */
export interface Lease {
  /** Resolves after the first attempt to acquire the lease, successful or not. */
  readonly known: Promise<void>;
  /** Lets another instance acquire the lease at once. Never rejects. */
  release(): Promise<void>;
}

/** The signal is aborted when the lease is lost or released. */
export type OnAcquire = (signal: AbortSignal) => void;

export interface Leases {
  /** Waits until no other instance holds the lease. */
  acquire(name: string, onAcquire: OnAcquire): Lease;
  /** Includes the leases of other instances. */
  listHeld(): Promise<readonly string[]>;
  /** As it was a moment ago; at least 1. */
  countInstances(): number;
  close(): Promise<void>;
}

/** On SQLite only one instance runs, so each lease is acquired at once. */
export function createLocalLeases(): Leases {
  const names = new Set<string>();
  return {
    acquire(name, onAcquire) {
      const held = new AbortController();
      names.add(name);
      onAcquire(held.signal);
      return {
        known: Promise.resolve(),
        async release() {
          names.delete(name);
          held.abort();
        },
      };
    },
    listHeld: async () => [...names],
    countInstances: () => 1,
    close: async () => {},
  };
}

/** Another instance can acquire a lease that is not renewed for this long. */
const lifetime = seconds(3.5);
/**
 * The holder stops its task without a renewal for this long. Shorter than `lifetime`, so that two instances never do
 * the task at once.
 */
const giveUpAfter = seconds(2.5);
const renewInterval = seconds(1);
const checkInterval = 100;
const instancePrefix = "instance ";

/**
 * The holder renews its row every second, by the clock of the database. This needs no session, so it works behind a
 * transaction pooler. After the holder has died, another instance acquires the lease within five seconds.
 */
export function createPostgresLeases({ db, log }: { db: Db; log: Log }): Leases {
  const holder = randomUUID();
  let instances = 1;

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
        const isHeld = await store.claimLease(db, { name, holder, lifetime });
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
        await store
          .deleteLease(db, { name, holder })
          .catch((error: unknown) => log.warn("lease-not-released", { lease: name, error: String(error) }));
      },
    };
  }

  async function count(): Promise<void> {
    instances = Math.max(1, await store.countLeases(db, instancePrefix));
  }

  const own = acquire(instancePrefix + holder, () => {});
  const stopCounting = every(seconds(2), count, () => {});

  return {
    acquire,
    listHeld: () => store.listLeases(db),
    countInstances: () => instances,
    async close() {
      stopCounting();
      await own.release();
    },
  };
}
