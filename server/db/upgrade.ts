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
 * Returns the applied migrations. First copies an SQLite file with data, so that the operator can return to the
 * previous version. On PostgreSQL the operator has to make the copy.
 */
export async function upgrade({ db, kind }: Database, dataDir: string, now: number): Promise<string[]> {
  if (kind === "sqlite") {
    const applied = await listAppliedMigrations(db);
    const isBehind = listPendingMigrations(applied).length > 0;
    if (isBehind && applied.length > 0) await createCopy(db, dataDir, applied.at(-1)!);
  }
  return migrate(db, kind, now);
}

/** Names the copy after the file's last migration. An incomplete copy ends with `.part`. */
async function createCopy(db: Db, dataDir: string, lastMigration: string): Promise<void> {
  const folder = join(dataDir, copiesFolder);
  const copy = join(folder, `${lastMigration}.db`);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.rmSync(`${copy}.part`, { force: true });

  const { bavail, bsize } = fs.statfsSync(folder);
  // Once for the copy, and as much again for the migrations.
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

/** The operator's own files may stand beside the copies. */
export function isUpgradeCopy(name: string): boolean {
  return name.endsWith(".db") && isKnownMigration(name.slice(0, -".db".length));
}

/** Path of the newest copy that this version can open. */
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
