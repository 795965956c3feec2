import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

import { listShortTables } from "#server/db/backup-tables.ts";
import { type DataLocation, withDatabase } from "#server/db/connect.ts";
import { CommandRefusedError } from "#server/platform/command.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";
import { hours } from "#server/time.ts";
import type { RowCounts } from "./backup-file.ts";
import { restoreBackup } from "./backup.ts";

const scratchPrefix = ".backup-verification-";
/** A killed verification leaves its folder. */
const maxVerificationMs = hours(2);

/**
 * Restores a backup into a scratch database beside its file, counts the rows of each table, and passes the database to
 * `check`. Throws if the backup cannot be restored completely.
 */
export async function verifyBackup(
  file: string,
  { now, tables }: { now: number; tables: TablePolicies },
  check: (place: DataLocation) => Promise<void>,
): Promise<RowCounts> {
  const folder = dirname(file);
  deleteOldScratches(folder);
  const place = { dataDir: createScratch(folder), databaseUrl: null };
  try {
    const rows = await restoreBackup(place, file, { now, tables });
    const missing = await withDatabase(place, ({ db }) => listShortTables(db, rows));
    if (missing.length > 0)
      throw new CommandRefusedError(`${file} cannot be restored: rows are missing in ${missing.join(", ")}.`);
    await check(place);
    return rows;
  } finally {
    rmSync(place.dataDir, { recursive: true, force: true });
  }
}

function createScratch(folder: string): string {
  try {
    return mkdtempSync(join(folder, scratchPrefix));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandRefusedError(`${folder} cannot be written by user ${process.getuid?.()} (${code}).`);
  }
}

function deleteOldScratches(folder: string): void {
  const names = readdirSync(folder).filter((name) => name.startsWith(scratchPrefix));
  for (const path of names.map((name) => join(folder, name)))
    if (Date.now() - statSync(path).mtimeMs > maxVerificationMs) rmSync(path, { recursive: true, force: true });
}
