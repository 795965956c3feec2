import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { createDataDirectory, type DataLocation, databaseFile } from "#server/db/connect.ts";
import { assertSqliteIntegrity } from "#server/db/sqlite-integrity.ts";
import { OperatorError } from "#server/operator-error.ts";

/** Thrown if another server uses the same data directory. */
export class DataDirectoryLockedError extends OperatorError {
  constructor(dataDir: string) {
    super(
      `DATA_DIR: another Stammtisch is already running on ${dataDir}. Stop it first, or use PostgreSQL for several instances.`,
    );
  }
}

/** Creates the error for a data directory that is not writable. */
export function notWritableError(dataDir: string): OperatorError {
  return new OperatorError(
    `DATA_DIR: ${dataDir} is not a writable folder. Is it mounted read-only, full, or owned by another user?`,
  );
}

/** SQLite's error code (SQLITE_BUSY) for a lock that another process holds. */
const sqliteBusy = 5;
/**
 * Locks the data directory, so that only one server uses an SQLite file. Returns the function that
 * releases the lock; the operating system also releases it when the process ends. Waits up to
 * `waitMs`, because commands hold the lock while they check the file. Does nothing with PostgreSQL.
 */
export function lockDataDirectory({ databaseUrl, dataDir }: DataLocation, waitMs = 0): () => void {
  if (databaseUrl) return () => {};
  prepareDataDirectory(dataDir);
  const lock = new DatabaseSync(join(dataDir, "serve.lock"), { timeout: waitMs });
  try {
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    throw (error as { errcode?: number }).errcode === sqliteBusy ? new DataDirectoryLockedError(dataDir) : error;
  }
  return () => lock.close();
}

/** Creates the folder if it is missing. Throws if it is not writable. */
export function prepareDataDirectory(dataDir: string): void {
  try {
    createDataDirectory(dataDir);
  } catch {
    throw notWritableError(dataDir);
  }
  assertWritable(dataDir);
}

/** Throws if the folder is not writable: SQLite would silently open its file read-only. */
export function assertWritable(dataDir: string): void {
  try {
    // The trailing slash makes the check fail if the path is a file.
    accessSync(`${dataDir}/`, constants.W_OK);
  } catch {
    throw notWritableError(dataDir);
  }
}

/**
 * Throws if the SQLite file is damaged or newer than this version, so that nothing is written to
 * it. Returns `false` without a check if a server is running, because that server checked the file
 * at its start. With PostgreSQL, checks nothing and returns `true`.
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
