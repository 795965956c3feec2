import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { Config } from "#server/config.ts";

/** Another server works on the same data. */
export class DataDirTakenError extends Error {
  constructor(dataDir: string) {
    super(
      `DATA_DIR: another Stammtisch is already running on ${dataDir}. Stop it first, or use PostgreSQL for several instances.`,
    );
  }
}

/**
 * Makes sure that only one server works on an SQLite file, and returns what gives it free. The claim is a lock that the
 * operating system takes back however the process ends, so a kill leaves nothing to clean up.
 */
export function claimDataDir({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">): () => void {
  if (databaseUrl) return () => {};
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(dataDir, "serve.lock"));
  try {
    lock.exec("begin exclusive");
  } catch {
    throw new DataDirTakenError(dataDir);
  }
  return () => lock.close();
}
