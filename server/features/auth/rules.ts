import { pauseTimes } from "#server/db/failure-count.ts";
import { days, hours, minutes } from "#server/time.ts";
import type { SessionCutoffs } from "./store.ts";

/**
 * Minimum milliseconds between two writes of a session's `last_seen_at`. A session without "Eingeloggt bleiben" (stay
 * logged in) ends two hours after the last write, so up to this much before it was idle for two hours.
 */
export const touchIntervalMs = minutes(10);
const maxIdleMs = hours(2);
const maxAgeMs = days(1);

/**
 * Returns the earliest times with which a session is still valid at `now` (epoch ms).
 */
export function sessionCutoffs(now: number, rememberDays: number): SessionCutoffs {
  return {
    rememberedSince: now - days(rememberDays),
    createdSince: now - maxAgeMs,
    seenSince: now - maxIdleMs,
  };
}

/** Maximum number of sessions per member; a login above the limit ends the oldest session. */
export const maxSessions = 20;

/** Limits on password attempts. */
export const throttle = {
  perSubject: { limit: 5, seconds: 60 },
  perAddress: { limit: 30, seconds: 60 },
  /** Number of failures in a row that starts a pause of logins; each further failure doubles the pause. */
  consecutiveFailures: { limit: 100, firstPauseMs: minutes(15), longestPauseMs: pauseTimes.ahead },
} as const;

/** Maximum number of known browsers per member. */
export const maxKnownDevices = 20;

/** Returns the milliseconds for which logins pause after this number of failures in a row; 0 below `limit`. */
export function pauseMsAfter(failures: number, limit: number): number {
  const beyond = failures - limit;
  if (beyond < 0) return 0;
  const { firstPauseMs, longestPauseMs } = throttle.consecutiveFailures;
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(beyond, 10));
}
