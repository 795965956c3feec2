// All durations are in milliseconds.

export const seconds = (count: number): number => count * 1000;
export const minutes = (count: number): number => seconds(60 * count);
export const hours = (count: number): number => minutes(60 * count);
export const days = (count: number): number => hours(24 * count);

/**
 * Skips an interval while the previous run is unfinished. Calls `onError` only for the first of several failures in a
 * row. Does not keep the process alive.
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

/** Formats epoch ms as on the wire, e.g. `2026-11-20T19:30:00.000Z`. */
export function toIso(time: number): string;
export function toIso(time: number | null): string | null;
export function toIso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
