import { days, hours } from "#server/time.ts";
import type { SessionCutoffs } from "./store.ts";

/** Maximum idle milliseconds of a session without "Eingeloggt bleiben" (stay logged in). */
const maxIdleMs = hours(2);
/** Maximum lifetime in milliseconds of a session without "Eingeloggt bleiben". */
const maxAgeMs = days(1);

/** Returns the limits of sessions that are valid at `now` (epoch ms). */
export function sessionCutoffs(now: number, rememberDays: number): SessionCutoffs {
  return {
    rememberedSince: now - days(rememberDays),
    createdSince: now - maxAgeMs,
    seenSince: now - maxIdleMs,
    // Ends sessions that were created while the clock was far ahead, but none after a small clock
    // correction.
    createdUntil: now + days(rememberDays),
  };
}

/** Maximum number of sessions per member; a login above the limit ends the oldest session. */
export const maxSessions = 20;
