import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";

import { listShortTables } from "#server/db/backup-tables.ts";
import { type DataLocation, withDatabase } from "#server/db/connect.ts";
import { CommandRefusedError } from "#server/platform/command.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";
import type { RowCounts } from "./backup-file.ts";
import { restoreBackup } from "./backup.ts";

/** Begins the name of a scratch folder, which a killed process leaves. */
export const scratchPrefix = ".backup-verification-";

/**
 * Restores a backup into a scratch database in `folder`, counts the rows of each table, and passes the database to
 * `check`. Throws if the backup cannot be restored completely.
 */
export async function verifyBackup(
  file: string,
  folder: string,
  { now, tables }: { now: number; tables: TablePolicies },
  check: (place: DataLocation) => Promise<void> = async () => {},
): Promise<RowCounts> {
  const place = { dataDir: mkdtempSync(join(folder, scratchPrefix)), databaseUrl: null };
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
