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

/** How login attempts are slowed down. Each limit is multiplied by RATE_LIMIT_FACTOR. */
export const throttle = {
  perNameAndAddress: { limit: 5, windowMs: minute },
  perAddress: { limit: 30, windowMs: minute },
  /** After so many failures in a row an account pauses, twice as long with each further one. */
  perAccount: { limit: 100, firstPauseMs: 15 * minute, longestPauseMs: day },
} as const;

/** How long the account waits after its `failures`th failure in a row, in ms; 0 below the limit. */
export function accountPause(failures: number, limit: number): number {
  const beyond = failures - limit;
  if (beyond < 0) return 0;
  const { firstPauseMs, longestPauseMs } = throttle.perAccount;
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(beyond, 10));
}
