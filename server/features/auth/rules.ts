import { days, hours } from "#server/time.ts";
import type { SessionCutoffs } from "./store.ts";

/** Limits of sessions without "Eingeloggt bleiben": idle time and total lifetime. */
const maxIdleMs = hours(2);
const maxAgeMs = days(1);

/** Returns the times before which sessions have ended; `now` in epoch ms. */
export function sessionCutoffs(now: number, rememberDays: number): SessionCutoffs {
  return {
    rememberedSince: now - days(rememberDays),
    createdSince: now - maxAgeMs,
    seenSince: now - maxIdleMs,
    // A session created further in the future than its maximum lifetime was made with a wrong clock; small corrections end none.
    createdUntil: now + days(rememberDays),
  };
}

/** Maximum number of sessions per member; one more ends the oldest. */
export const maxSessions = 20;
