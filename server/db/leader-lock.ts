import { setTimeout as sleep } from "node:timers/promises";

import { loadPg } from "./load-pg.ts";

/** A lock that elects a leader: only one instance can hold it at a time. */
export interface LeaderLock {
  /** Resolves after the first attempt to acquire the lock, successful or not. */
  readonly known: Promise<void>;
  release(): Promise<void>;
}

/** Called when the lock is acquired. The signal is aborted when the lock is lost or released. */
export type OnAcquire = (signal: AbortSignal) => void;

/** Acquires the lock immediately. For SQLite, where only one instance uses the data. */
export function acquireLocalLeaderLock(onAcquire: OnAcquire): LeaderLock {
  const held = new AbortController();
  onAcquire(held.signal);
  return { known: Promise.resolve(), release: async () => held.abort() };
}

const pollMs = 1000;
const queryTimeoutMs = 5000;

/**
 * Acquires a PostgreSQL advisory lock on a separate connection, and retries until it succeeds.
 * PostgreSQL frees the lock when the process dies. If the machine vanishes from the network, TCP
 * keep-alive frees the lock within 20 s; by then that machine has noticed the lost connection.
 */
export function acquirePostgresLeaderLock(connectionString: string, lock: number, onAcquire: OnAcquire): LeaderLock {
  const released = new AbortController();
  const { promise: known, resolve: setKnown } = Promise.withResolvers<void>();
  let held: AbortController | null = null;

  async function holdLock(): Promise<void> {
    const client = new (loadPg().Client)({
      connectionString,
      application_name: "stammtisch leader lock",
      connectionTimeoutMillis: queryTimeoutMs,
      query_timeout: queryTimeoutMs,
    });
    const onLost = (): void => held?.abort();
    client.on("error", onLost).on("end", onLost);
    try {
      await client.connect();
      await client.query("set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3");
      while (!released.signal.aborted) {
        if (held) await client.query("select 1");
        else {
          const { rows } = await client.query<{ won: boolean }>("select pg_try_advisory_lock($1) as won", [lock]);
          if (rows[0]?.won) onAcquire((held = new AbortController()).signal);
          setKnown();
        }
        await sleep(pollMs, undefined, { signal: released.signal, ref: false });
      }
    } catch {
      // The connection was lost, or the lock was released.
    }
    held?.abort();
    held = null;
    setKnown();
    await client.end().catch(() => {});
  }

  async function holdLockForever(): Promise<void> {
    while (!released.signal.aborted) {
      await holdLock();
      await sleep(pollMs, undefined, { signal: released.signal, ref: false }).catch(() => {});
    }
  }

  const holding = holdLockForever();
  return {
    known,
    async release() {
      released.abort();
      await holding;
    },
  };
}
