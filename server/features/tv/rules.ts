import { createHash, randomInt } from "node:crypto";

import { tvCodeAlphabet, tvCodeLength, type TvScreen } from "#contract/tv.ts";
import { epochOf, localDay } from "#server/platform/local-day.ts";
import { days, minutes } from "#server/time.ts";

/** Minimum milliseconds between two writes of a TV link's last use. */
export const lastUsedInterval = minutes(1);

/**
 * Milliseconds from the last use of a TV link until the link ends. The creation counts as the first
 * use.
 */
export const maxIdleMs = days(180);

/**
 * Returns a hash of a TV screen's content. A TV sends the hash back, so that it gets the screen
 * only if the content has changed.
 */
export function hashScreen(screen: TvScreen): string {
  return createHash("sha256").update(JSON.stringify(screen)).digest("base64url").slice(0, 16);
}

/**
 * Maximum number of pending pairing codes; a further one replaces the oldest. A limit protects the
 * database, because anyone can request a code.
 */
export const maxWaitingCodes = 500;

/** Limit on the pairing codes that an administrator enters, also on right ones. */
export const codeAttempts = { limit: 5, seconds: 60 };

/**
 * Time of day at which a new evening begins, so that a beer after midnight belongs to the previous
 * evening.
 */
const eveningStart = "06:00";

/** Returns the start of the evening that contains `now`, in epoch milliseconds. */
export function startOfEvening(now: number, timeZone: string): number {
  const start = epochOf(localDay(now, timeZone), eveningStart, timeZone);
  return start <= now ? start : epochOf(localDay(now - days(1), timeZone), eveningStart, timeZone);
}

export function createTvCode(): string {
  return Array.from({ length: tvCodeLength }, () => tvCodeAlphabet[randomInt(tvCodeAlphabet.length)]).join("");
}
