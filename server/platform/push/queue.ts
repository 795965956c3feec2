import { errorFields, type Log } from "#server/platform/log.ts";
import { hours, minutes, seconds } from "#server/time.ts";

const maxParallel = 20;
const maxPending = 1000;
/**
 * Milliseconds before the second, third and fourth attempt; the delay is longer if the push service
 * asks for it.
 */
const defaultRetryDelays: readonly number[] = [seconds(2), seconds(10), minutes(1)];
const maxRetryDelay = hours(1);

/**
 * Creates a queue that runs jobs in the background. `attempt` resolves to `null` when a job is
 * done, otherwise to the minimum milliseconds before the next attempt. `giveUp` is called after the
 * fourth failed attempt, or if `attempt` asks for more than an hour.
 */
export function createPushQueue<Job>({
  attempt,
  giveUp,
  log,
  retryDelays = defaultRetryDelays,
}: {
  attempt: (job: Job) => Promise<number | null>;
  giveUp: (job: Job) => Promise<void>;
  log: Log;
  retryDelays?: readonly number[] | undefined;
}) {
  /** All unfinished jobs, with the number of retries of each. */
  const pending = new Map<Job, number>();
  const ready: Job[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  let dropped = 0;
  let isClosed = false;

  function startNext(): void {
    if (isClosed) return;
    while (running.size < maxParallel && ready.length > 0) {
      const work = run(ready.shift()!).finally(() => {
        running.delete(work);
        startNext();
      });
      running.add(work);
    }
  }

  async function run(job: Job): Promise<void> {
    try {
      const wait = await attempt(job);
      if (isClosed && wait !== null) return;
      if (wait === null) pending.delete(job);
      else await scheduleRetry(job, wait);
    } catch (error) {
      log.warn("push-lost", errorFields(error));
      pending.delete(job);
    }
  }

  async function scheduleRetry(job: Job, atLeast: number): Promise<void> {
    const tried = pending.get(job)!;
    const wait = retryDelays[tried];
    if (wait === undefined || atLeast > maxRetryDelay) {
      pending.delete(job);
      return giveUp(job);
    }
    pending.set(job, tried + 1);
    // Adds jitter, so that jobs that failed together are not retried together.
    const timer = setTimeout(() => retry(job, timer), Math.max(wait * (1 + Math.random() / 4), atLeast)).unref();
    timers.add(timer);
  }

  function retry(job: Job, timer: NodeJS.Timeout): void {
    timers.delete(timer);
    ready.push(job);
    startNext();
  }

  return {
    /** Returns the number of unfinished jobs. */
    size: () => pending.size,
    /** Queues the job; drops it if too many jobs are unfinished. */
    add(job: Job): void {
      if (isClosed || pending.size >= maxPending) {
        dropped++;
        if (Math.log2(dropped) % 1 === 0) log.warn("push-dropped", { dropped });
        return;
      }
      pending.set(job, 0);
      ready.push(job);
      startNext();
    },
    /** Stops starting jobs. Resolves to the unfinished jobs once no job is running. */
    async close(): Promise<Job[]> {
      isClosed = true;
      timers.forEach(clearTimeout);
      await Promise.all(running);
      return [...pending.keys()];
    },
  };
}
