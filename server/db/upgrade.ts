import * as fs from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";

import { type Database, databaseFile, type Db } from "./connect.ts";
import { listAppliedMigrations, migrate, listPendingMigrations } from "./migrate.ts";

/** There is no room for the copy that makes an upgrade safe. */
export class InsufficientDiskSpaceError extends Error {
  constructor(folder: string, needed: number) {
    super(
      `DATA_DIR: the copy that is made before an upgrade needs ${needed} MB in ${folder}. Make room and start again.`,
    );
  }
}

const maxCopies = 3;
const megabyte = 1_048_576;

/**
 * Brings the schema up to date and returns the names of what was applied. An SQLite file with data in it is copied before:
 * whoever wants to go back puts the copy in its place. On PostgreSQL that is the operator's to do.
 */
export async function upgrade({ db, kind }: Database, dataDir: string, now: number): Promise<string[]> {
  if (kind === "sqlite") {
    const applied = await listAppliedMigrations(db);
    const isBehind = listPendingMigrations(applied).length > 0;
    if (isBehind && applied.length > 0) await createCopy(db, dataDir, applied.at(-1)!);
  }
  return migrate(db, kind, now);
}

/** Named after the last migration that the copy has been through. There is never half a copy. */
async function createCopy(db: Db, dataDir: string, lastMigration: string): Promise<void> {
  const folder = join(dataDir, "before-upgrade");
  const copy = join(folder, `${lastMigration}.db`);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.rmSync(`${copy}.part`, { force: true });

  const { bavail, bsize } = fs.statfsSync(folder);
  const needed = fileSize(databaseFile(dataDir)) + fileSize(`${databaseFile(dataDir)}-wal`);
  // The migrations themselves want some, too.
  if (bavail * bsize < 2 * needed) throw new InsufficientDiskSpaceError(folder, Math.ceil((2 * needed) / megabyte));

  await sql`vacuum into ${`${copy}.part`}`.execute(db);
  fs.chmodSync(`${copy}.part`, 0o600);
  const descriptor = fs.openSync(`${copy}.part`, "r+");
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
  fs.renameSync(`${copy}.part`, copy);
  for (const name of fs.readdirSync(folder).toSorted().slice(0, -maxCopies)) fs.rmSync(join(folder, name));
}

function fileSize(file: string): number {
  return fs.existsSync(file) ? fs.statSync(file).size : 0;
}
