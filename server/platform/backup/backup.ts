import { readdirSync } from "node:fs";

import {
  clearTable,
  hasMembers,
  hasTables,
  inSnapshot,
  insertRows,
  dropIndexes,
  listBackupTables,
  type BackupRow,
  type StoredTable,
  readRows,
  writeLastId,
} from "#server/db/backup-tables.ts";
import {
  type Database,
  type DataLocation,
  databaseFile,
  inTransaction,
  isRefusedValue,
  openDatabase,
} from "#server/db/connect.ts";
import {
  assertKnownMigrations,
  assertSchemaKnown,
  listAppliedMigrations,
  migrateInTransaction,
} from "#server/db/migrate.ts";
import { assertSqliteIntegrity } from "#server/db/sqlite-integrity.ts";
import { CommandRefusedError } from "#server/platform/command.ts";
import { readSecrets, storeSecrets } from "#server/platform/security/secrets.ts";
import {
  assertDataIntegrity,
  lockDataDirectory,
  prepareDataDirectory,
} from "#server/platform/storage/data-directory-lock.ts";
import {
  describeLocation,
  assertDatabaseNotEmpty,
  assertDatabaseFileExists,
} from "#server/platform/storage/existing-database.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";
import { version } from "#server/version.ts";
import {
  type BackupHeader,
  type BackupRecord,
  type BackupReader,
  type BackupTable,
  assertReplaceable,
  openBackupFile,
  type RowCounts,
  writeBackupFile,
} from "./backup-file.ts";

/**
 * Writes a consistent snapshot. Refuses a database without members, which is probably the wrong one and would overwrite
 * a good backup. Replaces an existing file only if assertReplaceable() allows it.
 */
export async function writeBackup(
  place: DataLocation,
  file: string,
  { now, withSecrets, tableNames }: { now: number; withSecrets: boolean; tableNames: readonly string[] },
): Promise<RowCounts> {
  assertDatabaseFileExists(place);
  await assertReplaceable(file);
  // Checks the database even while a server uses it: damage that a backup copies is usually noticed too late.
  if (!assertDataIntegrity(place)) assertSqliteIntegrity(databaseFile(place.dataDir), { isAlone: false });
  await using database = openDatabase(place);
  return await inSnapshot(database, async (db) => {
    const snapshot = { ...database, db };
    await assertDatabaseNotEmpty(db, place);
    await assertSchemaKnown(db);
    const migrations = await listAppliedMigrations(db);
    if (!(await hasMembers(db)))
      throw new CommandRefusedError(
        `There is nothing to back up in ${describeLocation(place)}: it has no members. Is this the right database?`,
      );
    const secrets = withSecrets ? await readSecrets(snapshot, place.dataDir) : null;
    const header: BackupHeader = {
      stammtisch: "backup",
      format: 1,
      at: new Date(now).toISOString(),
      version,
      migrations,
      ...(secrets && { secrets }),
    };
    const stored = await listBackupTables(db, database.kind, tableNames);
    return writeBackupFile(file, header, exportRows(snapshot, stored));
  });
}

async function* exportRows({ db, kind }: Database, tables: readonly StoredTable[]): AsyncGenerator<BackupRecord> {
  for (const table of tables) {
    yield { table: { table: table.name, columns: [...table.columns], last_id: table.lastId } };
    for await (const row of readRows(db, kind, table)) yield { row };
  }
}

/**
 * Requires an empty installation. Verifies the checksum first and then uses one transaction, so that an interrupted
 * restore leaves the installation empty.
 */
export async function restoreBackup(
  place: DataLocation,
  file: string,
  { now, tables }: { now: number; tables: TablePolicies },
): Promise<RowCounts> {
  await using backup = await openBackupFile(file);
  const { migrations, version: writtenBy } = backup.header;
  assertKnownMigrations(migrations, { writtenBy, wayBack: "Nothing was restored." });
  await backup.assertIntact();
  if (!place.databaseUrl) assertUnusedDirectory(place.dataDir);
  const release = lockDataDirectory(place);
  try {
    await using database = openDatabase(place);
    if (await hasTables(database.db)) throw notEmptyError(place.databaseUrl ? "The database" : place.dataDir);
    return await importRows(database, backup, place.dataDir, now, tables).catch((error: unknown) => {
      throw isRefusedValue(error) ? refusedRowError(file, error as Error) : error;
    });
  } finally {
    release();
  }
}

/** Leftovers of an interrupted restore, `lost+found` of a mounted disk, backups, and the operator's own secrets. */
const unusedDirectoryFiles = /^(serve\.lock(-.+)?|lost\+found|backups|stammtisch\.db(-wal|-shm)?|secrets\.json)$/;

function assertUnusedDirectory(dataDir: string): void {
  prepareDataDirectory(dataDir);
  if (!readdirSync(dataDir).every((name) => unusedDirectoryFiles.test(name))) throw notEmptyError(dataDir);
}

function refusedRowError(file: string, { message }: Error): CommandRefusedError {
  return new CommandRefusedError(
    `${file} has a row that the database refuses (${message.split("\n")[0]}). Nothing was restored.`,
  );
}

function notEmptyError(what: string): CommandRefusedError {
  return new CommandRefusedError(`${what} is not empty. Backups can only be restored into an empty installation.`);
}

/** Returns the tables of a backup, by default also those that hold secrets of webhooks. */
export function namesInBackup(tables: TablePolicies, { hasSecrets = true } = {}): string[] {
  return Object.keys(tables).filter(
    (name) => tables[name]!.backup === "included" && (hasSecrets || !tables[name]!.hasSecrets),
  );
}

const maxBatchRows = 500;
const maxBatchBytes = 4_194_304;

function importRows(
  { db, kind }: Database,
  backup: BackupReader,
  dataDir: string,
  now: number,
  tables: TablePolicies,
): Promise<RowCounts> {
  const { migrations, secrets } = backup.header;
  return inTransaction(db, async (tx) => {
    await migrateInTransaction(tx, kind, now, migrations);
    const known = new Map(
      (await listBackupTables(tx, kind, namesInBackup(tables))).map((table) => [table.name, table]),
    );
    let table: StoredTable | null = null;
    let recreateIndexes = async (): Promise<void> => {};
    let rows: BackupRow[] = [];
    let bytes = 0;

    // The next rows are read from the backup while this insertion runs.
    let inserted = Promise.resolve();

    async function flush(): Promise<void> {
      await inserted;
      if (table && rows.length > 0) inserted = insertRows(tx, kind, table, rows);
      inserted.catch(() => {});
      rows = [];
      bytes = 0;
    }

    async function finishTable(): Promise<void> {
      await flush();
      await inserted;
      await recreateIndexes();
      if (table?.lastId) await writeLastId(tx, kind, table.name, table.lastId);
    }

    for await (const piece of backup.records()) {
      if ("row" in piece) {
        rows.push(piece.row);
        bytes += piece.row.reduce<number>((sum, cell) => sum + lengthOf(cell), 0);
        if (rows.length >= maxBatchRows || bytes >= maxBatchBytes) await flush();
      } else {
        await finishTable();
        table = resolveTable(known, piece.table);
        await clearTable(tx, table.name);
        recreateIndexes = await dropIndexes(tx, kind, table.name);
      }
    }
    await finishTable();
    await migrateInTransaction(tx, kind, now);
    for (const { onRestore } of Object.values(tables)) await onRestore?.(tx, now);
    if (secrets) await storeSecrets(tx, kind, dataDir, secrets);
    return backup.rowCounts();
  });
}

function lengthOf(cell: BackupRow[number]): number {
  return cell === null || typeof cell === "number" ? 0 : cell.length;
}

/** Throws if this version does not have the table or a column. */
function resolveTable(
  known: ReadonlyMap<string, StoredTable>,
  { table: name, columns, last_id: lastId }: BackupTable,
): StoredTable {
  const table = known.get(name);
  const typeOf = new Map(table?.columns.map((column, index) => [column, table.types[index]!]));
  const unknown = table ? columns.find((column) => !typeOf.has(column)) : name;
  if (unknown) throw new CommandRefusedError(`The backup holds “${unknown}”, which this version does not know.`);
  return { name, columns, types: columns.map((column) => typeOf.get(column)!), lastId };
}
