import { minutes } from "#server/time.ts";
import type { SessionCutoffs } from "./store.ts";

export const minute = minutes(1);
const hour = 60 * minute;
export const day = 24 * hour;

/** Without "Eingeloggt bleiben" a session ends after 2 idle hours, and after a day in any case. */
const maxIdleMs = 2 * hour;
const maxAgeMs = day;

export function sessionCutoffs(now: number, rememberDays: number): SessionCutoffs {
  return { rememberedSince: now - rememberDays * day, createdSince: now - maxAgeMs, seenSince: now - maxIdleMs };
}

/** How many sessions a member can have; with one more the oldest ends. */
export const maxSessions = 20;
