import { createHash, randomInt } from "node:crypto";

import { tvCodeAlphabet, tvCodeLength, type TvScreen } from "#contract/tv.ts";
import { epochOf, localDay } from "#server/platform/local-day.ts";
import { days, minutes } from "#server/time.ts";

/** Minimum interval in milliseconds between two saved uses of a link. */
export const lastUsedInterval = minutes(1);

/** Time in milliseconds after which a link ends, since its last use, or since its creation if it has never been used. */
export const maxIdleMs = days(180);

/** Returns a version that changes with the content of the screen. */
export function hashScreen(screen: TvScreen): string {
  return createHash("sha256").update(JSON.stringify(screen)).digest("base64url").slice(0, 16);
}

/** Maximum number of pending codes: enough for every group, and protects the database. */
export const maxWaitingCodes = 500;

/** Time of day at which a new evening begins; a beer after midnight belongs to the previous evening. */
const eveningStart = "06:00";

/** Returns the start of the evening that `now` belongs to, in milliseconds since the epoch. */
export function startOfEvening(now: number, timeZone: string): number {
  const start = epochOf(localDay(now, timeZone), eveningStart, timeZone);
  return start <= now ? start : epochOf(localDay(now - days(1), timeZone), eveningStart, timeZone);
}

export function createTvCode(): string {
  return Array.from({ length: tvCodeLength }, () => tvCodeAlphabet[randomInt(tvCodeAlphabet.length)]).join("");
}
