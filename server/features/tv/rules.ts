import { createHash, randomInt } from "node:crypto";

import { tvCodeAlphabet, tvCodeLength } from "#contract/tv.ts";
import { days, minutes } from "#server/time.ts";

/** Minimum time between two writes of a TV link's last use. */
export const lastUsedInterval = minutes(1);

/** Time from the last use of a TV link until it ends. The creation counts as the first use. */
export const maxIdleMs = days(180);

/** A TV sends the hash back, so that it gets the screen only if the content has changed. */
export function hashScreen(screen: object): string {
  return createHash("sha256").update(JSON.stringify(screen)).digest("base64url").slice(0, 16);
}

/** A further code replaces the oldest. Protects the database, because anyone can request a code. */
export const maxWaitingCodes = 500;

/** Also counts right codes of an administrator. */
export const codeAttempts = { limit: 5, seconds: 60 };

export function createTvCode(): string {
  return Array.from({ length: tvCodeLength }, () => tvCodeAlphabet[randomInt(tvCodeAlphabet.length)]).join("");
}
