// Durations in milliseconds, times on the wire, and the one way to do something again and again.

export const seconds = (count: number): number => count * 1000;
export const minutes = (count: number): number => seconds(60 * count);
export const hours = (count: number): number => minutes(60 * count);
export const days = (count: number): number => hours(24 * count);

/**
 * Runs `work` every `interval` (ms) until the returned function is called. A run that takes longer than the interval is never
 * overlapped by the next. `onError` is called for the first of several failures in a row. Does not keep the process alive.
 */
export function every(
  interval: number,
  work: () => void | Promise<void>,
  onError: (error: unknown) => void,
): () => void {
  let isRunning = false;
  let hasFailed = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      await work();
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) onError(error);
      hasFailed = true;
    } finally {
      isRunning = false;
    }
  }

  const timer = setInterval(() => void run(), interval).unref();
  return () => clearInterval(timer);
}

/** The clocks of two instances differ by less than this. */
const clockTolerance = minutes(1);

/** The latest stored start (epoch ms) that counts: the clock was ahead when a later one was written. */
export function latestStart(now: number): number {
  return now + clockTolerance;
}

/** `true` if a stored end (epoch ms) has passed, or is further ahead than its span can be, which is at most `longest` ms. */
export function hasExpired(end: number, now: number, longest: number): boolean {
  return end <= now || end > latestStart(now) + longest;
}

/** A time (epoch ms) as it is written on the wire, e.g. `2026-11-20T19:30:00.000Z`. */
export function toIso(time: number): string {
  return new Date(time).toISOString();
}
