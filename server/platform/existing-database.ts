import { statSync } from "node:fs";

import { type Config, maskedUrl } from "#server/config.ts";
import { databaseFile, type Db } from "#server/db/connect.ts";
import { appliedMigrations } from "#server/db/migrate.ts";
import { UnwritableDataDirError } from "./claim.ts";

type Place = Pick<Config, "databaseUrl" | "dataDir">;

/** The settings lead to no database of ours. The message is one line: where that is, and how to name another place. */
export class NoDatabaseError extends Error {
  constructor(place: Place) {
    super(
      `There is no database of Stammtisch in ${describePlace(place)}. Set DATA_DIR or ` +
        "DATABASE_URL to look elsewhere, or STAMMTISCH_ENV_FILE to the file with the settings of the service.",
    );
  }
}

/** Where the data are: the folder, or the address without its password. */
export function describePlace({ databaseUrl, dataDir }: Place): string {
  return databaseUrl ? maskedUrl(databaseUrl) : dataDir;
}

/** Throws a NoDatabaseError where there is no SQLite file to open; opening would make one. Says nothing about PostgreSQL. */
export function refuseMissingFile(place: Place): void {
  if (place.databaseUrl) return;
  try {
    statSync(databaseFile(place.dataDir));
  } catch (error) {
    const isMissing = ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
    throw isMissing ? new NoDatabaseError(place) : new UnwritableDataDirError(place.dataDir);
  }
}

/** Throws a NoDatabaseError where an open database has none of our tables. */
export async function refuseEmptyDatabase(db: Db, place: Place): Promise<void> {
  if ((await appliedMigrations(db)).length === 0) throw new NoDatabaseError(place);
}
