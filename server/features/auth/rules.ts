import type { SessionEdges } from "./store.ts";

export const minute = 60_000;
const hour = 60 * minute;
export const day = 24 * hour;

/** Without "Eingeloggt bleiben" a session ends after 2 idle hours, and after a day in any case. */
const idle = 2 * hour;
const longest = day;

export function sessionEdges(now: number, rememberDays: number): SessionEdges {
  return { rememberedSince: now - rememberDays * day, createdSince: now - longest, seenSince: now - idle };
}

/** Sessions a member may have; with one more the oldest ends. */
export const maxSessions = 20;
