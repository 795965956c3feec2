import { days, hasExpired, minutes } from "#server/time.ts";

/** Limits of password attempts, multiplied by RATE_LIMIT_FACTOR. */
export const throttle = {
  perSubject: { limit: 5, windowMs: minutes(1) },
  perAddress: { limit: 30, windowMs: minutes(1) },
  /** Failures in a row after which logins pause, twice as long with each further failure. */
  consecutiveFailures: { limit: 100, firstPauseMs: minutes(15), longestPauseMs: days(1) },
} as const;

/** The longest window of any count in milliseconds. */
export const longestWindowMs = days(1);

/** Milliseconds since the last login for which a browser is known, and the maximum number of known browsers per member. */
export const deviceLifetimeMs = days(180);
export const maxKnownDevices = 20;

/** Returns the pause after the `failures`th failure in a row in milliseconds; 0 below the limit. */
export function pauseMsAfter(failures: number, limit: number): number {
  const beyond = failures - limit;
  if (beyond < 0) return 0;
  const { firstPauseMs, longestPauseMs } = throttle.consecutiveFailures;
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(beyond, 10));
}

/** Returns the milliseconds until a pause ends; 0 if it has ended. */
export function remainingPauseMs(lockedUntil: number, now: number): number {
  return hasExpired(lockedUntil, now, throttle.consecutiveFailures.longestPauseMs) ? 0 : lockedUntil - now;
}

/** Multiplies a limit by RATE_LIMIT_FACTOR; at least 1. */
export function scaledLimit({ limit }: { readonly limit: number }, rateLimitFactor: number): number {
  return Math.max(1, Math.floor(limit * rateLimitFactor));
}
