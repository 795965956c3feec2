import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { createDataDirectory, type DataLocation, databaseFile } from "#server/db/connect.ts";
import { assertSqliteIntegrity } from "#server/db/sqlite-integrity.ts";
import { OperatorError } from "#server/operator-error.ts";

/** Another server uses the same data directory. */
export class DataDirectoryLockedError extends OperatorError {
  constructor(dataDir: string) {
    super(
      `DATA_DIR: another Stammtisch is already running on ${dataDir}. Stop it first, or use PostgreSQL for several instances.`,
    );
  }
}

export function notWritableError(dataDir: string): OperatorError {
  return new OperatorError(
    `DATA_DIR: ${dataDir} is not a writable folder. Is it mounted read-only, full, or owned by another user?`,
  );
}

/** SQLITE_BUSY: another process holds the lock. */
const sqliteBusy = 5;
/**
 * Lets only one server use an SQLite file. The operating system also releases the lock when the process ends. Waits up
 * to `waitMs`, because commands hold the lock while they check the file. Does nothing with PostgreSQL.
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

/** Throws if the folder is not writable. */
export function prepareDataDirectory(dataDir: string): void {
  try {
    createDataDirectory(dataDir);
  } catch {
    throw notWritableError(dataDir);
  }
  assertWritable(dataDir);
}

/** SQLite would silently open its file read-only. */
export function assertWritable(dataDir: string): void {
  try {
    // The trailing slash makes the check fail if the path is a file.
    accessSync(`${dataDir}/`, constants.W_OK);
  } catch {
    throw notWritableError(dataDir);
  }
}

/**
 * Throws if the SQLite file is damaged or newer than this version. `false` without a check if a server is running,
 * which checked it at its start. `true` with PostgreSQL.
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
