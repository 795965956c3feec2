import { createHash } from "node:crypto";

import type { TvScreen } from "#contract/tv.ts";
import { days, minutes } from "#server/time.ts";

/** A link's last use is saved at most this often. */
export const lastUsedInterval = minutes(1);

/** A link ends so long after its last use, in ms; one that was never used, after its creation. */
export const maxIdleMs = days(180);

/** Differs for every other screen, whatever has changed: a beer, a name, a picture. */
export function hashScreen(screen: TvScreen): string {
  return createHash("sha256").update(JSON.stringify(screen)).digest("base64url").slice(0, 16);
}
