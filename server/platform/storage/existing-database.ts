import { existsSync, statSync } from "node:fs";

import { maskUrl } from "#server/config-schema.ts";
import { type DataLocation, databaseFile, type Db } from "#server/db/connect.ts";
import { listAppliedMigrations } from "#server/db/migrate.ts";
import { isSqliteFileEmpty } from "#server/db/sqlite-integrity.ts";
import { OperatorError, UnusableDataError } from "#server/operator-error.ts";
import { secretsFile } from "#server/platform/security/secrets.ts";
import { notWritableError } from "./data-directory-lock.ts";

export class NoDatabaseError extends OperatorError {
  constructor(place: DataLocation) {
    super(
      `There is no database of Stammtisch in ${describeLocation(place)}. Set DATA_DIR or ` +
        "DATABASE_URL to look elsewhere, or STAMMTISCH_ENV_FILE to the file with the settings of the service.",
    );
  }
}

/** Omits the password of the database URL. */
export function describeLocation({ databaseUrl, dataDir }: DataLocation): string {
  return databaseUrl ? maskUrl(databaseUrl) : dataDir;
}

/** Opening a missing SQLite file would create it. Does nothing with PostgreSQL. */
export function assertDatabaseFileExists(place: DataLocation): void {
  if (place.databaseUrl) return;
  try {
    statSync(databaseFile(place.dataDir));
  } catch (error) {
    const isMissing = ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
    throw isMissing ? new NoDatabaseError(place) : notWritableError(place.dataDir);
  }
}

/** Throws if no migration has ever run. */
export async function assertDatabaseNotEmpty(db: Db, place: DataLocation): Promise<void> {
  if ((await listAppliedMigrations(db)).length === 0) throw new NoDatabaseError(place);
}

/** The first start writes `secrets.json` last, so without an SQLite database beside it, the database has been lost. */
export function assertDatabaseNotLost({ databaseUrl, dataDir }: DataLocation): void {
  if (databaseUrl || !existsSync(secretsFile(dataDir)) || !isSqliteFileEmpty(databaseFile(dataDir))) return;
  throw new UnusableDataError(
    `DATA_DIR: ${dataDir} holds secrets.json, but no database. Is its disk mounted? Mount it, or restore the last backup into ` +
      `an empty DATA_DIR: stammtisch restore FILE. To start without the earlier data, delete ${secretsFile(dataDir)}.`,
  );
}
