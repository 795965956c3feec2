import { existsSync, statSync } from "node:fs";

import { maskUrl } from "#server/config-schema.ts";
import { type DataLocation, databaseFile, type Db } from "#server/db/connect.ts";
import { listAppliedMigrations } from "#server/db/migrate.ts";
import { isSqliteFileEmpty } from "#server/db/sqlite-integrity.ts";
import { OperatorError, UnusableDataError } from "#server/operator-error.ts";
import { secretsFile } from "#server/platform/security/secrets.ts";
import { notWritableError } from "./data-directory-lock.ts";

/** Thrown if there is no database, or an empty one. */
export class NoDatabaseError extends OperatorError {
  constructor(place: DataLocation) {
    super(
      `There is no database of Stammtisch in ${describeLocation(place)}. Set DATA_DIR or ` +
        "DATABASE_URL to look elsewhere, or STAMMTISCH_ENV_FILE to the file with the settings of the service.",
    );
  }
}

/** Returns where the data are stored: the folder, or the database URL without its password. */
export function describeLocation({ databaseUrl, dataDir }: DataLocation): string {
  return databaseUrl ? maskUrl(databaseUrl) : dataDir;
}

/** Throws if the SQLite file is missing, because opening it would create it. Does nothing with PostgreSQL. */
export function assertDatabaseFileExists(place: DataLocation): void {
  if (place.databaseUrl) return;
  try {
    statSync(databaseFile(place.dataDir));
  } catch (error) {
    const isMissing = ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
    throw isMissing ? new NoDatabaseError(place) : notWritableError(place.dataDir);
  }
}

/** Throws if no migration has ever run on this database. */
export async function assertDatabaseNotEmpty(db: Db, place: DataLocation): Promise<void> {
  if ((await listAppliedMigrations(db)).length === 0) throw new NoDatabaseError(place);
}

/**
 * Throws if `secrets.json` exists without an SQLite database. The first start writes that file
 * last, so the database must have been lost. Does nothing with PostgreSQL, which stores the secrets
 * itself.
 */
export function assertDatabaseNotLost({ databaseUrl, dataDir }: DataLocation): void {
  if (databaseUrl || !existsSync(secretsFile(dataDir)) || !isSqliteFileEmpty(databaseFile(dataDir))) return;
  throw new UnusableDataError(
    `DATA_DIR: ${dataDir} holds secrets.json, but no database. Is its disk mounted? Mount it, or restore the last backup into ` +
      `an empty DATA_DIR: stammtisch restore FILE. To start without the earlier data, delete ${secretsFile(dataDir)}.`,
  );
}
