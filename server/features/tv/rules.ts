import { createHash, randomInt } from "node:crypto";

import { tvCodeAlphabet, tvCodeLength, type TvScreen } from "#contract/tv.ts";
import { epochOf, localDay } from "#server/platform/local-day.ts";
import { days, minutes } from "#server/time.ts";

/** A link's last use is saved at most this often. */
export const lastUsedInterval = minutes(1);

/** A link ends so long after its last use, in ms; one that was never used, after its creation. */
export const maxIdleMs = days(180);

/** Differs for every other screen, whatever has changed: a beer, a name, a picture. */
export function hashScreen(screen: TvScreen): string {
  return createHash("sha256").update(JSON.stringify(screen)).digest("base64url").slice(0, 16);
}

/** Limit of the codes that wait at the same time: enough for every group, and little for the table. */
export const maxWaitingCodes = 500;

/** The hour at which a new evening begins: a beer after midnight belongs to the evening before. */
const eveningStart = "06:00";

/** Start of the evening that `now` belongs to, in epoch ms. */
export function startOfEvening(now: number, timeZone: string): number {
  const start = epochOf(localDay(now, timeZone), eveningStart, timeZone);
  return start <= now ? start : epochOf(localDay(now - days(1), timeZone), eveningStart, timeZone);
}

export function createTvCode(): string {
  return Array.from({ length: tvCodeLength }, () => tvCodeAlphabet[randomInt(tvCodeAlphabet.length)]).join("");
}
