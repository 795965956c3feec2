import * as fs from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";

import { megabytes } from "#contract/sizes.ts";
import { OperatorError } from "#server/operator-error.ts";
import { syncFolder } from "#server/sync-folder.ts";
import { type Database, databaseFile, type Db } from "./connect.ts";
import { isKnownMigration, listAppliedMigrations, listPendingMigrations, migrate } from "./migrate.ts";

const copiesFolder = "before-upgrade";
const maxCopies = 3;

/**
 * Applies pending migrations and returns their names. First copies an SQLite file with data, so
 * that the operator can return to the previous version. On PostgreSQL the operator has to make the
 * copy.
 */
export async function upgrade({ db, kind }: Database, dataDir: string, now: number): Promise<string[]> {
  if (kind === "sqlite") {
    const applied = await listAppliedMigrations(db);
    const isBehind = listPendingMigrations(applied).length > 0;
    if (isBehind && applied.length > 0) await createCopy(db, dataDir, applied.at(-1)!);
  }
  return migrate(db, kind, now);
}

/**
 * Copies the SQLite file; the copy has the name of the file's last migration. An incomplete copy
 * ends with `.part`.
 */
async function createCopy(db: Db, dataDir: string, lastMigration: string): Promise<void> {
  const folder = join(dataDir, copiesFolder);
  const copy = join(folder, `${lastMigration}.db`);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.rmSync(`${copy}.part`, { force: true });

  const { bavail, bsize } = fs.statfsSync(folder);
  // Twice the size of the database: once for the copy, and as much again for the migrations.
  const needed = 2 * (fileSize(databaseFile(dataDir)) + fileSize(`${databaseFile(dataDir)}-wal`));
  if (bavail * bsize < needed)
    throw new OperatorError(
      `DATA_DIR: the copy made before an upgrade needs ${Math.ceil(needed / megabytes(1))} MB in ${folder}. Free some space and start again.`,
    );

  await sql`vacuum into ${`${copy}.part`}`.execute(db);
  fs.chmodSync(`${copy}.part`, 0o600);
  const descriptor = fs.openSync(`${copy}.part`, "r+");
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
  fs.renameSync(`${copy}.part`, copy);
  syncFolder(folder);
  syncFolder(dataDir);
  const copies = fs.readdirSync(folder).filter(isUpgradeCopy).toSorted();
  for (const name of copies.slice(0, -maxCopies)) fs.rmSync(join(folder, name));
}

/** Returns `true` for the name of a copy made before an upgrade; the operator's own files may stand beside it. */
export function isUpgradeCopy(name: string): boolean {
  return name.endsWith(".db") && isKnownMigration(name.slice(0, -".db".length));
}

/** Returns the path of the newest copy that this version can open; `null` without one. */
export function findCopyToGoBack(dataDir: string): string | null {
  const folder = join(dataDir, copiesFolder);
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).filter(isUpgradeCopy) : [];
  return names.length === 0 ? null : join(folder, names.toSorted().at(-1)!);
}

export function isUnfinishedUpgradeCopy(name: string): boolean {
  const [copy, rest] = name.split(".part", 2);
  return isUpgradeCopy(copy!) && ["", "-journal"].includes(rest ?? "missing");
}

function fileSize(file: string): number {
  return fs.existsSync(file) ? fs.statSync(file).size : 0;
}
