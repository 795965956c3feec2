import { minutes } from "#server/time.ts";

const minute = minutes(1);
const day = 24 * 60 * minute;

/** The limits for entering passwords. Each is multiplied by RATE_LIMIT_FACTOR. */
export const throttle = {
  perSubject: { limit: 5, windowMs: minute },
  perAddress: { limit: 30, windowMs: minute },
  /** After this many failures in a row logins pause, twice as long with each further failure. */
  consecutiveFailures: { limit: 100, firstPauseMs: 15 * minute, longestPauseMs: day },
} as const;

/** A browser stays known for this long after the last login, in ms; and so many of them for each member. */
export const deviceLifetimeMs = 180 * day;
export const maxKnownDevices = 20;

/** How long to wait after the `failures`th failure in a row, in ms; 0 below the limit. */
export function pauseMsAfter(failures: number, limit: number): number {
  const beyond = failures - limit;
  if (beyond < 0) return 0;
  const { firstPauseMs, longestPauseMs } = throttle.consecutiveFailures;
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(beyond, 10));
}
