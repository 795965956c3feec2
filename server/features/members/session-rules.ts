import { days, hours, minutes } from "#server/time.ts";
import type { SessionCutoffs } from "./session-store.ts";

/**
 * Minimum time between two writes of a session's `last_seen_at`. A session that is not remembered may therefore end up
 * to this much before it was idle for two hours.
 */
export const touchIntervalMs = minutes(10);
const maxIdleMs = hours(2);
const maxAgeMs = days(1);

/** Returns the earliest times with which a session is still valid. */
export function sessionCutoffs(now: number, rememberDays: number): SessionCutoffs {
  return {
    rememberedSince: now - days(rememberDays),
    createdSince: now - maxAgeMs,
    seenSince: now - maxIdleMs,
  };
}

/** A login above the limit ends the oldest session. */
export const maxSessions = 20;
