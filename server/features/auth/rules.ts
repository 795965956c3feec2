import { days, hours } from "#server/time.ts";
import type { SessionCutoffs } from "./store.ts";

/** Without "Eingeloggt bleiben" a session ends after 2 idle hours, and after a day in any case. */
const maxIdleMs = hours(2);
const maxAgeMs = days(1);

/** `now` in epoch ms. */
export function sessionCutoffs(now: number, rememberDays: number): SessionCutoffs {
  return {
    rememberedSince: now - days(rememberDays),
    createdSince: now - maxAgeMs,
    seenSince: now - maxIdleMs,
    // The clock was ahead when a session further ahead than its longest life was made; a small correction ends none.
    createdUntil: now + days(rememberDays),
  };
}

/** How many sessions a member can have; with one more the oldest ends. */
export const maxSessions = 20;
