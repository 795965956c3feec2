import { pauseTimes } from "#server/db/failure-count.ts";
import { days, minutes } from "#server/time.ts";

/** Limits on password attempts, before the multiplication by RATE_LIMIT_FACTOR. */
export const throttle = {
  perSubject: { limit: 5, windowMs: minutes(1) },
  perAddress: { limit: 30, windowMs: minutes(1) },
  /**
   * Number of failures in a row that starts a pause of logins; each further failure doubles the
   * pause.
   */
  consecutiveFailures: { limit: 100, firstPauseMs: minutes(15), longestPauseMs: pauseTimes.ahead },
} as const;

/** Maximum length in milliseconds of any time window in which attempts are counted. */
export const longestWindowMs = days(1);

/** Milliseconds after its last login for which a browser is known. */
export const deviceLifetimeMs = days(180);
/** Maximum number of known browsers per member. */
export const maxKnownDevices = 20;

/**
 * Returns the milliseconds for which logins pause after this number of failures in a row; 0 below
 * `limit`.
 */
export function pauseMsAfter(failures: number, limit: number): number {
  const beyond = failures - limit;
  if (beyond < 0) return 0;
  const { firstPauseMs, longestPauseMs } = throttle.consecutiveFailures;
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(beyond, 10));
}

/** Returns the milliseconds until the pause of logins ends; 0 if it has ended. */
export function remainingPauseMs(lockedUntil: number, now: number): number {
  return Math.max(0, lockedUntil - now);
}

/** Returns a limit multiplied by RATE_LIMIT_FACTOR, at least 1. */
export function scaledLimit({ limit }: { readonly limit: number }, rateLimitFactor: number): number {
  return Math.max(1, Math.floor(limit * rateLimitFactor));
}
