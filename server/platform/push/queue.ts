import { errorFields, type Log } from "#server/platform/log.ts";

export interface PushQueue<Job> {
  /** Drops the job where too many wait already. */
  readonly add: (job: Job) => void;
  /** Takes up nothing more; resolves to what is left once nothing runs any more. */
  close(): Promise<Job[]>;
}

const maxParallel = 20;
const maxPending = 1000;
/** Waits before the second, third and fourth attempt, unless the other side asked for more. */
const retryDelays = [2000, 10_000, 60_000];
const maxRetryDelay = 60 * 60_000;

/**
 * Works off jobs beside everything else. `attempt` resolves to null when a job is done, and otherwise to how many ms the
 * other side wants to be left alone; after the fourth attempt, or where that is more than an hour, `giveUp`.
 */
export function createPushQueue<Job>({
  attempt,
  giveUp,
  log,
}: {
  attempt: (job: Job) => Promise<number | null>;
  giveUp: (job: Job) => Promise<void>;
  log: Log;
}): PushQueue<Job> {
  /** Everything that is not done, with how often it was tried. */
  const held = new Map<Job, number>();
  const ready: Job[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  let dropped = 0;
  let isClosed = false;

  function pump(): void {
    if (isClosed) return;
    while (running.size < maxParallel && ready.length > 0) {
      const work = run(ready.shift()!).finally(() => {
        running.delete(work);
        pump();
      });
      running.add(work);
    }
  }

  async function run(job: Job): Promise<void> {
    try {
      const wait = await attempt(job);
      if (isClosed && wait !== null) return;
      if (wait === null) held.delete(job);
      else await postpone(job, wait);
    } catch (error) {
      log.warn("push-lost", errorFields(error));
      held.delete(job);
    }
  }

  async function postpone(job: Job, atLeast: number): Promise<void> {
    const tried = held.get(job)!;
    const wait = retryDelays[tried];
    if (wait === undefined || atLeast > maxRetryDelay) {
      held.delete(job);
      return giveUp(job);
    }
    held.set(job, tried + 1);
    // Spread, so that what failed together does not come back together.
    const timer = setTimeout(() => again(job, timer), Math.max(wait * (1 + Math.random() / 4), atLeast)).unref();
    timers.add(timer);
  }

  function again(job: Job, timer: NodeJS.Timeout): void {
    timers.delete(timer);
    ready.push(job);
    pump();
  }

  return {
    add(job) {
      if (isClosed || held.size >= maxPending) {
        dropped++;
        if (Math.log2(dropped) % 1 === 0) log.warn("push-dropped", { dropped });
        return;
      }
      held.set(job, 0);
      ready.push(job);
      pump();
    },
    async close() {
      isClosed = true;
      timers.forEach(clearTimeout);
      await Promise.all(running);
      return [...held.keys()];
    },
  };
}
