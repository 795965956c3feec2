import { existsSync, readdirSync } from "node:fs";

import type { Config } from "#server/config.ts";
import { type Database, databaseFile, inTransaction, openDatabase } from "#server/db/connect.ts";
import { inspectFile } from "#server/db/inspect.ts";
import { appliedMigrations, migrateWithin, refuseNewer } from "#server/db/migrate.ts";
import {
  clearTable,
  hasMembers,
  hasTables,
  inSnapshot,
  insertRows,
  liftIndexes,
  listPortable,
  type PortableRow,
  type PortableTable,
  readRows,
  writeLastId,
} from "#server/db/portable.ts";
import { claimDataDir, refuseUnsoundData } from "#server/platform/claim.ts";
import { CommandRefusedError } from "#server/platform/command.ts";
import { describePlace, refuseEmptyDatabase, refuseMissingFile } from "#server/platform/existing-database.ts";
import { readSecrets, storeSecrets } from "#server/platform/secrets.ts";
import {
  type BackupHeader,
  type BackupPiece,
  type BackupReader,
  type BackupTable,
  openBackupFile,
  type RowCounts,
  writeBackupFile,
} from "./backup-file.ts";

type Place = Pick<Config, "databaseUrl" | "dataDir">;

/**
 * Writes everything worth keeping to `file`, as it was at one moment, and returns how many rows of each table. Refuses a
 * database without members: nobody wants that one kept, and in the place of a good backup it would be a loss.
 */
export async function writeBackup(
  place: Place,
  file: string,
  { now, withSecrets }: { now: number; withSecrets: boolean },
): Promise<RowCounts> {
  refuseMissingFile(place);
  // Also beside a server that has long been running: a backup of damaged data would be found out too late.
  if (!refuseUnsoundData(place)) inspectFile(databaseFile(place.dataDir), { isAlone: false });
  const database = openDatabase(place);
  try {
    return await inSnapshot(database, async (db) => {
      const snapshot = { ...database, db };
      await refuseEmptyDatabase(db, place);
      const migrations = await appliedMigrations(db);
      refuseNewer(migrations);
      if (!(await hasMembers(db)))
        throw new CommandRefusedError(
          `There is nothing to back up in ${describePlace(place)}: it has no members. Is this the right database?`,
        );
      const secrets = withSecrets ? await readSecrets(snapshot, place.dataDir) : null;
      const header: BackupHeader = {
        stammtisch: "backup",
        format: 1,
        at: new Date(now).toISOString(),
        migrations,
        ...(secrets && { secrets }),
      };
      const tables = await listPortable(db, database.kind);
      return writeBackupFile(file, header, takeOut(snapshot, tables));
    });
  } finally {
    await database.close();
  }
}

async function* takeOut({ db, kind }: Database, tables: readonly PortableTable[]): AsyncGenerator<BackupPiece> {
  for (const table of tables) {
    yield { table: { table: table.name, columns: [...table.columns], last_id: table.lastId } };
    for await (const row of readRows(db, kind, table)) yield { row };
  }
}

/**
 * Fills an installation that has never been used from a backup, and returns how many rows of each table. All of it
 * happens in one transaction, the checksum included: a kill in the middle leaves it as empty as before.
 */
export async function restoreBackup(place: Place, file: string, now: number): Promise<RowCounts> {
  const backup = await openBackupFile(file);
  try {
    refuseNewer(backup.header.migrations);
    if (!place.databaseUrl) refuseUsedFolder(place.dataDir);
    const release = claimDataDir(place);
    const database = openDatabase(place);
    try {
      if (await hasTables(database.db)) throw notEmpty(place.databaseUrl ? "The database" : place.dataDir);
      return await putIn(database, backup, place.dataDir, now);
    } finally {
      await database.close();
      release();
    }
  } finally {
    await backup.close();
  }
}

/** What an interrupted restore, a mounted disk or an operator's own secrets leave in a folder that is otherwise unused. */
const unusedFolder = /^(serve\.lock(-.+)?|lost\+found|stammtisch\.db(-wal|-shm)?|secrets\.json)$/;

function refuseUsedFolder(dataDir: string): void {
  const names = existsSync(dataDir) ? readdirSync(dataDir) : [];
  if (!names.every((name) => unusedFolder.test(name))) throw notEmpty(dataDir);
}

function notEmpty(what: string): CommandRefusedError {
  return new CommandRefusedError(`${what} is not empty. A backup is restored only where nothing is lost by it.`);
}

const rowsAtOnce = 500;
const bytesAtOnce = 4_194_304;

function putIn({ db, kind }: Database, backup: BackupReader, dataDir: string, now: number): Promise<RowCounts> {
  const { migrations, secrets } = backup.header;
  return inTransaction(db, async (tx) => {
    await migrateWithin(tx, kind, now, migrations);
    const known = new Map((await listPortable(tx, kind)).map((table) => [table.name, table]));
    let table: PortableTable | null = null;
    let putIndexesBack = async (): Promise<void> => {};
    let rows: PortableRow[] = [];
    let bytes = 0;

    // The next rows are read while the database takes in the last ones.
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
      await putIndexesBack();
      if (table?.lastId) await writeLastId(tx, kind, table.name, table.lastId);
    }

    for await (const piece of backup.pieces()) {
      if ("row" in piece) {
        rows.push(piece.row);
        bytes += piece.row.reduce<number>((sum, cell) => sum + (cell instanceof Uint8Array ? cell.length : 0), 0);
        if (rows.length >= rowsAtOnce || bytes >= bytesAtOnce) await flush();
      } else {
        await finishTable();
        table = asKnown(known, piece.table);
        await clearTable(tx, table.name);
        putIndexesBack = await liftIndexes(tx, kind, table.name);
      }
    }
    await finishTable();
    await migrateWithin(tx, kind, now);
    if (secrets) await storeSecrets(tx, kind, dataDir, secrets);
    return backup.counts();
  });
}

/** A file must not name anything in a statement that this program does not know itself. */
function asKnown(
  known: ReadonlyMap<string, PortableTable>,
  { table: name, columns, last_id: lastId }: BackupTable,
): PortableTable {
  const table = known.get(name);
  const typeOf = new Map(table?.columns.map((column, index) => [column, table.types[index]!]));
  const unknown = table ? columns.find((column) => !typeOf.has(column)) : name;
  if (unknown) throw new CommandRefusedError(`The backup holds “${unknown}”, which this version does not know.`);
  return { name, columns, types: columns.map((column) => typeOf.get(column)!), lastId };
}
