import { days, hours, latestStart } from "#server/time.ts";
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
    createdUntil: latestStart(now),
  };
}

/** How many sessions a member can have; with one more the oldest ends. */
export const maxSessions = 20;
