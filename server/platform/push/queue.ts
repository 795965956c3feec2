import type { Db } from "#server/db/connect.ts";
import { afterCommit } from "#server/db/transaction-scope.ts";
import type { Clock } from "#server/platform/clock.ts";
import { createBatcher } from "#server/platform/jobs/batcher.ts";
import { coalesce } from "#server/platform/jobs/coalesce.ts";
import { errorFields, type Log, outageFields } from "#server/platform/log.ts";
import { every, hours, minutes, seconds } from "#server/time.ts";
import type { PushJob } from "./job.ts";
import * as store from "./push-store.ts";

const maxParallel = 20;
/**
 * Milliseconds before the second, third and fourth attempt; the delay is longer if the push service
 * asks for it.
 */
const defaultRetryDelays: readonly number[] = [seconds(2), seconds(10), minutes(1)];
export const maxRetryDelay = hours(1);
/**
 * Milliseconds for which a push is reserved by the instance that sends it; longer than any attempt.
 * If that instance crashes, another one sends it afterwards.
 */
const claimMs = minutes(1);
const pollEveryMs = seconds(1);

/**
 * Creates the queue of pushes in the database, which all instances work on. `attempt` resolves to
 * `null` when a push is done, otherwise to the minimum milliseconds before the next attempt.
 * `giveUp` is called after the fourth failed attempt, or if `attempt` asks for more than an hour.
 */
export function createPushQueue(parts: {
  db: Db;
  isPostgres: boolean;
  clock: Clock;
  log: Log;
  attempt: (job: PushJob) => Promise<number | null>;
  giveUp: (job: PushJob) => Promise<void>;
  retryDelays?: readonly number[] | undefined;
}) {
  const { db, isPostgres, clock, log, attempt, giveUp, retryDelays = defaultRetryDelays } = parts;
  /** Pushes that this instance is sending, including the recording of the result. */
  const running = new Set<Promise<void>>();
  /** Ids of the pushes for which this instance waits for an answer. */
  const sending = new Set<number>();
  const timers = new Set<NodeJS.Timeout>();
  const closed = new AbortController();
  /** Deletes pushes that are done. Those that end at the same time share a commit. */
  const deletePush = createBatcher({
    commit: async (ids: readonly number[]): Promise<void[]> => {
      await store.deletePushes(db, ids);
      return [];
    },
    maxBatch: maxParallel,
    maxWaiting: maxParallel,
  });

  const startDue = coalesce(async () => {
    while (!closed.signal.aborted && running.size < maxParallel) {
      const now = clock.now();
      const limit = maxParallel - running.size;
      const claim = { now, until: now + claimMs, limit, isPostgres };
      const pushes = await store.claimPushes(db, claim);
      if (pushes.length === 0) return;
      for (const push of pushes) {
        // Skips a push that this instance is still sending although its reservation has ended.
        if (sending.has(push.id)) continue;
        const work = run(push).finally(() => {
          running.delete(work);
          wake();
        });
        running.add(work);
      }
    }
  });

  function wake(): void {
    if (!closed.signal.aborted) startDue().catch((error: unknown) => log.warn("pushes-not-sent", outageFields(error)));
  }

  async function run(push: store.QueuedPush): Promise<void> {
    try {
      sending.add(push.id);
      // Ends before the result is recorded, because a retry may be due as soon as that is committed.
      const wait = await attempt(push).finally(() => sending.delete(push.id));
      if (wait === null) await deletePush(push.id);
      // Another instance, or this one after its next start, sends it at once.
      else if (closed.signal.aborted) await store.postponePush(db, push.id, clock.now(), push.failures);
      else await scheduleRetry(push, wait);
    } catch (error) {
      // The push remains reserved, and is sent again afterwards.
      log.warn("push-failed", errorFields(error));
    }
  }

  async function scheduleRetry(push: store.QueuedPush, atLeast: number): Promise<void> {
    const delay = retryDelays[push.failures];
    if (delay === undefined || atLeast > maxRetryDelay) {
      await giveUp(push);
      return deletePush(push.id);
    }
    // Adds jitter, so that pushes that failed together are not retried together.
    const wait = Math.max(delay * (1 + Math.random() / 4), atLeast);
    await store.postponePush(db, push.id, Math.ceil(clock.now() + wait), push.failures + 1);
    wakeAfter(wait);
  }

  function wakeAfter(wait: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      wake();
    }, wait + 1).unref();
    timers.add(timer);
  }

  return {
    /** Returns the number of unsent pushes of all instances. */
    size: () => store.countPushes(db),
    /**
     * Adds pushes in the transaction `tx` of the change that they are about. They are sent after the
     * commit, at least once, unless a newer push replaces them: after a crash of the instance that
     * sends a push, it is sent again.
     */
    async add(tx: Db, jobs: readonly PushJob[]): Promise<void> {
      if (jobs.length === 0) return;
      await store.createPushes(tx, jobs, clock.now());
      await afterCommit(tx, wake);
    },
    /** Starts sending the pushes that other instances left; returns a function that ends it. */
    start: () => every(pollEveryMs, startDue, (error) => log.warn("pushes-not-sent", outageFields(error))),
    /** Stops sending permanently. Resolves once no push is being sent. */
    async close(): Promise<void> {
      closed.abort();
      // Waits for a claim under way, whose pushes would otherwise remain reserved.
      await startDue().catch(() => {});
      timers.forEach(clearTimeout);
      await Promise.all(running);
    },
  };
}
