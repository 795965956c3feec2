import { accessSync, constants, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { type DataLocation, databaseFile } from "#server/db/connect.ts";
import { assertSqliteIntegrity } from "#server/db/sqlite-integrity.ts";
import { OperatorError } from "#server/operator-error.ts";

/** Another server works on the same data. */
export class DataDirectoryLockedError extends OperatorError {
  constructor(dataDir: string) {
    super(
      `DATA_DIR: another Stammtisch is already running on ${dataDir}. Stop it first, or use PostgreSQL for several instances.`,
    );
  }
}

/** The data directory cannot be written to. */
export class UnwritableDataDirectoryError extends OperatorError {
  constructor(dataDir: string) {
    super(`DATA_DIR: ${dataDir} is not writable. Is it mounted read-only, full, or owned by another user?`);
  }
}

/** SQLite's code for a lock that somebody else holds. */
const sqliteBusy = 5;
/**
 * Makes sure that only one server works on an SQLite file, and returns what gives it free. The claim is a lock that the
 * operating system takes back however the process ends, so a kill leaves nothing to clean up. Waits for a while (ms) where
 * a command holds the claim, which it does no longer than it takes to look at the file.
 */
export function lockDataDirectory({ databaseUrl, dataDir }: DataLocation, waitMs = 0): () => void {
  if (databaseUrl) return () => {};
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch {
    throw new UnwritableDataDirectoryError(dataDir);
  }
  assertWritable(dataDir);
  const lock = new DatabaseSync(join(dataDir, "serve.lock"), { timeout: waitMs });
  try {
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    throw (error as { errcode?: number }).errcode === sqliteBusy ? new DataDirectoryLockedError(dataDir) : error;
  }
  return () => lock.close();
}

/** Throws where nothing can be written to the folder. SQLite would open a file there all the same, only to read it. */
export function assertWritable(dataDir: string): void {
  try {
    accessSync(dataDir, constants.W_OK);
  } catch {
    throw new UnwritableDataDirectoryError(dataDir);
  }
}

/**
 * Throws where the SQLite file is damaged or newer than this program, before anything writes to it. Beside a running
 * server, which has done so at its start, nothing happens and the answer is false.
 */
export function assertDataIntegrity(place: DataLocation): boolean {
  let release;
  try {
    release = lockDataDirectory(place);
  } catch (error) {
    if (error instanceof DataDirectoryLockedError) return false;
    throw error;
  }
  try {
    if (!place.databaseUrl) assertSqliteIntegrity(databaseFile(place.dataDir), { isAlone: true });
    return true;
  } finally {
    release();
  }
}
