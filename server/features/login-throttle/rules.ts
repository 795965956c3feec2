import { days, hasExpired, minutes } from "#server/time.ts";

/** The limits for entering passwords. Each is multiplied by RATE_LIMIT_FACTOR. */
export const throttle = {
  perSubject: { limit: 5, windowMs: minutes(1) },
  perAddress: { limit: 30, windowMs: minutes(1) },
  /** After this many failures in a row logins pause, twice as long with each further failure. */
  consecutiveFailures: { limit: 100, firstPauseMs: minutes(15), longestPauseMs: days(1) },
} as const;

/** The longest window in which attempts of any kind are counted, in ms. */
export const longestWindowMs = days(1);

/** A browser stays known for this long after the last login, in ms; and so many of them for each member. */
export const deviceLifetimeMs = days(180);
export const maxKnownDevices = 20;

/** How long to wait after the `failures`th failure in a row, in ms; 0 below the limit. */
export function pauseMsAfter(failures: number, limit: number): number {
  const beyond = failures - limit;
  if (beyond < 0) return 0;
  const { firstPauseMs, longestPauseMs } = throttle.consecutiveFailures;
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(beyond, 10));
}

/** Milliseconds until a pause ends; 0 if it has ended. */
export function remainingPauseMs(lockedUntil: number, now: number): number {
  return hasExpired(lockedUntil, now, throttle.consecutiveFailures.longestPauseMs) ? 0 : lockedUntil - now;
}

/** A limit of the throttles multiplied by RATE_LIMIT_FACTOR, at least 1. */
export function scaledLimit({ limit }: { readonly limit: number }, rateLimitFactor: number): number {
  return Math.max(1, Math.floor(limit * rateLimitFactor));
}
