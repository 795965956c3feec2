import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage } from "./fields.ts";
import { field } from "./labels.ts";

/** The version of the server, and the result of the last check for a newer one. */
export const releaseCheck = z.object({
  version: z.string(),
  /** The host of RELEASES_URL; `null` without that variable, because nothing can be checked then. */
  host: z.nullable(z.string()),
  is_checking: z.boolean(),
  /** `null` if no newer version is known. */
  newer_version: z.nullable(z.string()),
  /** ISO 8601; `null` until the first check. */
  checked_at: z.nullable(z.string()),
  has_failed: z.boolean(),
  /** `true` after a week without a backup. */
  is_backup_overdue: z._default(z.boolean(), false),
});
export type ReleaseCheck = z.output<typeof releaseCheck>;

export const getReleaseCheck = endpoint("GET /api/admin/releases", {
  who: ["admin"],
  reply: releaseCheck,
});

/** Switches the daily check for a newer version on or off. Switching it on also checks at once. */
export const switchReleaseCheck = endpoint("POST /api/admin/releases", {
  who: ["admin"],
  perMinute: 10,
  body: z.object({ is_checking: field("Nach neuen Versionen schauen", z.boolean()) }),
  reply: fixedMessage("Gespeichert."),
});
