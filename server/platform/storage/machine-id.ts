import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createDataDirectory } from "#server/db/connect.ts";

/** Identifies the data directory; the first call creates the id. Throws if the directory is not writable. */
export function readMachineId(dataDir: string): string {
  const file = join(dataDir, "machine-id");
  return read(file) ?? create(dataDir, file);
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function create(dataDir: string, file: string): string {
  createDataDirectory(dataDir);
  const temporary = `${file}.${randomUUID()}.tmp`;
  writeFileSync(temporary, `${randomUUID()}\n`, { mode: 0o600, flush: true });
  try {
    // Unlike a rename, a link never replaces the file that another process has just created.
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(temporary);
  }
  return readFileSync(file, "utf8").trim();
}
