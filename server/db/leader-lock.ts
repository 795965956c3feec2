import { setTimeout as sleep } from "node:timers/promises";

import pg from "pg";

/** A post that one instance at a time holds. */
export interface LeaderLock {
  /** Whether this instance holds it now. */
  isHeld(): boolean;
  /** Resolves when it is known for the first time. */
  readonly known: Promise<void>;
  release(): Promise<void>;
}

/** Called with a signal that ends when the post is lost or left. */
export type OnAcquire = (signal: AbortSignal) => void;

/** The only instance there is holds every post until it leaves. */
export function acquireLocalLeaderLock(take: OnAcquire): LeaderLock {
  const held = new AbortController();
  take(held.signal);
  return { isHeld: () => !held.signal.aborted, known: Promise.resolve(), release: async () => held.abort() };
}

const pollMs = 1000;
const queryTimeoutMs = 5000;

/**
 * Holds a post among the instances on one PostgreSQL: a lock of the database, on a connection of its own. It falls back when
 * the process dies; a machine that vanishes is found out by the keep-alive within 20 s, later than it finds out itself.
 */
export function acquirePostgresLeaderLock(connectionString: string, lock: number, take: OnAcquire): LeaderLock {
  const left = new AbortController();
  const { promise: known, resolve: setKnown } = Promise.withResolvers<void>();
  let held: AbortController | null = null;

  async function holdLock(): Promise<void> {
    const client = new pg.Client({
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
      while (!left.signal.aborted) {
        if (held) await client.query("select 1");
        else {
          const { rows } = await client.query<{ won: boolean }>("select pg_try_advisory_lock($1) as won", [lock]);
          if (rows[0]?.won) take((held = new AbortController()).signal);
          setKnown();
        }
        await sleep(pollMs, undefined, { signal: left.signal, ref: false });
      }
    } catch {
      // The connection is gone, or the post was left.
    }
    held?.abort();
    held = null;
    setKnown();
    await client.end().catch(() => {});
  }

  async function holdLockForever(): Promise<void> {
    while (!left.signal.aborted) {
      await holdLock();
      await sleep(pollMs, undefined, { signal: left.signal, ref: false }).catch(() => {});
    }
  }

  const holding = holdLockForever();
  return {
    isHeld: () => held !== null && !held.signal.aborted,
    known,
    async release() {
      left.abort();
      await holding;
    },
  };
}
