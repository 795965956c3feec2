import * as z from "zod/mini";

import type { BackupInterval } from "#contract/backups.ts";
import { localDay, localTime } from "#server/platform/local-day.ts";
import { days } from "#server/time.ts";

const backupState = z.object({
  /** Epoch ms at which the server first looked for a backup. */
  since: z.number(),
  /** Epoch ms; `null` before the first. */
  made_at: z.nullable(z.number()),
  bytes: z.nullable(z.number()),
  verified_at: z.nullable(z.number()),
  /** Why the last attempt failed. */
  failure: z.nullable(z.string()),
});
export type BackupState = z.output<typeof backupState>;

export function parseState(stored: string | undefined, now: number): BackupState {
  if (stored === undefined) return { since: now, made_at: null, bytes: null, verified_at: null, failure: null };
  return backupState.parse(JSON.parse(stored));
}

/** In this hour most members are asleep. */
const nightHour = "04:00";
/** Half a day less, because a backup may have been made later in its night. */
const weekMs = days(6.5);

export function isBackupDue({ made_at }: BackupState, every: BackupInterval, now: number, timeZone: string): boolean {
  if (every === "off" || localTime(now, timeZone) < nightHour) return false;
  if (made_at === null || made_at > now) return true;
  return localDay(made_at, timeZone) !== localDay(now, timeZone) && (every === "daily" || now - made_at >= weekMs);
}

export function isVerificationDue({ verified_at }: BackupState, now: number): boolean {
  return verified_at === null || verified_at > now || now - verified_at >= weekMs;
}

export function isOverdue({ since, made_at }: BackupState, every: BackupInterval, now: number): boolean {
  const allowed = every === "weekly" ? days(14) : days(7);
  return every !== "off" && now - (made_at ?? since) > allowed;
}

/** E.g. `stammtisch-2026-11-30-0400.backup`. */
export function nameBackup(at: number, timeZone: string): string {
  return `stammtisch-${localDay(at, timeZone)}-${localTime(at, timeZone).replace(":", "")}.backup`;
}

/** Returns the oldest backups of the server above `keep`; other files in the folder are never among them. */
export function listSurplus(names: readonly string[], keep: number): string[] {
  const ours = names.filter((name) => /^stammtisch-\d{4}-\d\d-\d\d-\d{4}\.backup$/.test(name)).toSorted();
  return ours.slice(0, Math.max(0, ours.length - keep));
}
