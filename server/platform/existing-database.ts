import { existsSync, statSync } from "node:fs";

import { maskUrl } from "#server/config-schema.ts";
import { type DataLocation, databaseFile, type Db } from "#server/db/connect.ts";
import { listAppliedMigrations } from "#server/db/migrate.ts";
import { isSqliteFileEmpty } from "#server/db/sqlite-integrity.ts";
import { OperatorError, UnusableDataError } from "#server/operator-error.ts";
import { notWritableError } from "./data-directory-lock.ts";
import { secretsFile } from "./secrets.ts";

function noDatabaseError(place: DataLocation): OperatorError {
  return new OperatorError(
    `There is no database of Stammtisch in ${describeLocation(place)}. Set DATA_DIR or ` +
      "DATABASE_URL to look elsewhere, or STAMMTISCH_ENV_FILE to the file with the settings of the service.",
  );
}

/** Where the data are: the folder, or the address without its password. */
export function describeLocation({ databaseUrl, dataDir }: DataLocation): string {
  return databaseUrl ? maskUrl(databaseUrl) : dataDir;
}

/** Throws where there is no SQLite file, which opening would create. Does nothing with PostgreSQL. */
export function assertDatabaseFileExists(place: DataLocation): void {
  if (place.databaseUrl) return;
  try {
    statSync(databaseFile(place.dataDir));
  } catch (error) {
    const isMissing = ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
    throw isMissing ? noDatabaseError(place) : notWritableError(place.dataDir);
  }
}

/** Throws where an open database has none of our tables. */
export async function assertDatabaseNotEmpty(db: Db, place: DataLocation): Promise<void> {
  if ((await listAppliedMigrations(db)).length === 0) throw noDatabaseError(place);
}

/**
 * Throws where `secrets.json` is present without an SQLite database: a first start creates the secrets last, so the database has
 * been lost. Does nothing with PostgreSQL, which keeps the secrets itself.
 */
export function assertDatabaseNotLost({ databaseUrl, dataDir }: DataLocation): void {
  if (databaseUrl || !existsSync(secretsFile(dataDir)) || !isSqliteFileEmpty(databaseFile(dataDir))) return;
  throw new UnusableDataError(
    `DATA_DIR: ${dataDir} holds secrets.json, but no database. Is its disk mounted? Mount it, or restore the last backup into ` +
      `an empty DATA_DIR: stammtisch restore FILE. To start without the earlier data, delete ${secretsFile(dataDir)}.`,
  );
}
