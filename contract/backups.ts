import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage } from "./fields.ts";
import { field } from "./labels.ts";

/** Values of BACKUP_EVERY. */
export const backupIntervals = ["daily", "weekly", "off"] as const;
export type BackupInterval = (typeof backupIntervals)[number];

export const getBackups = endpoint("GET /api/admin/backups", {
  who: ["admin"],
  reply: z.object({
    every: z.enum(backupIntervals),
    /** ISO 8601; `null` until the first backup, also one of the command line. */
    made_at: z.nullable(z.string()),
    bytes: z.nullable(z.int()),
    /** ISO 8601 time at which a backup was last restored for a test; `null` until then. */
    verified_at: z.nullable(z.string()),
    /** English sentence of the command line about the last attempt, with the solution; `null` if it succeeded. */
    failure: z.nullable(z.string()),
    is_overdue: z.boolean(),
  }),
});

export const makeBackup = endpoint("POST /api/admin/backups", {
  who: ["admin"],
  perMinute: 5,
  reply: fixedMessage("Backup gemacht."),
});

/** Makes a backup for the caller. Without secrets, it has no webhooks and no generated keys. */
export const downloadBackup = endpoint("POST /api/admin/backups/download", {
  who: ["admin"],
  perMinute: 5,
  needsRecentPassword: true,
  body: z.object({ with_secrets: field("Mit Schlüsseln und Webhooks", z.boolean()) }),
  media: "application/gzip",
});
