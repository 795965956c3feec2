import { createHash } from "node:crypto";

import type { TvScreen } from "#contract/tv.ts";

/** A link's last use is written down at most this often, in ms. */
export const lastUsedInterval = 60_000;

/** Another one for every other screen, whatever it differs in: a beer, a name, a picture. */
export function hashScreen(screen: TvScreen): string {
  return createHash("sha256").update(JSON.stringify(screen)).digest("base64url").slice(0, 16);
}
