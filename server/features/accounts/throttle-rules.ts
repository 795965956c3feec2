import { pauseTimes } from "#server/db/failure-count.ts";
import { minutes } from "#server/time.ts";

export const throttle = {
  perSubject: { limit: 5, seconds: 60 },
  perAddress: { limit: 30, seconds: 60 },
  /** Failures in a row that start a pause; each further failure doubles the pause. */
  consecutiveFailures: { limit: 100, firstPauseMs: minutes(15), longestPauseMs: pauseTimes.ahead },
} as const;

export const maxKnownDevices = 20;

/** Returns 0 below `limit`. */
export function pauseMsAfter(failures: number, limit: number): number {
  const beyond = failures - limit;
  if (beyond < 0) return 0;
  const { firstPauseMs, longestPauseMs } = throttle.consecutiveFailures;
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(beyond, 10));
}
