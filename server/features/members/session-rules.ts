import { days, hours, minutes } from "#server/time.ts";
import type { SessionCutoffs } from "./session-store.ts";

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
