// Reads rows from one database and inserts them into another; each can be SQLite or PostgreSQL.
import { CompiledQuery, type Expression, type Kysely, sql } from "kysely";

import type { Database, DatabaseKind, Db } from "./connect.ts";
import { listForeignKeys, orderByReferences } from "./foreign-keys.ts";

/** Settings that belong to one machine. On request, a backup has the secrets in its header. */
const settingsNotInBackup = ["secrets", "last-probe", "backups"];

export interface StoredTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Database types, in the order of `columns`. */
  readonly types: readonly string[];
  /** Highest id ever assigned, so that none is assigned again; `null` if the table has assigned none. */
  readonly lastId: number | null;
}

type Cell = string | number | null | Uint8Array;
export type BackupRow = readonly Cell[];

/** Does not block writers. */
export function inSnapshot<Result>({ db, kind }: Database, work: (snapshot: Db) => Promise<Result>): Promise<Result> {
  return db.connection().execute(async (snapshot) => {
    // A kysely transaction would hold SQLite's write lock, and on PostgreSQL each query would see a different state.
    const begin = kind === "postgres" ? "begin isolation level repeatable read read only" : "begin deferred";
    await sql.raw(begin).execute(snapshot);
    try {
      await disableTimeouts(snapshot, kind);
      return await work(snapshot);
    } finally {
      await sql`rollback`.execute(snapshot);
    }
  });
}

/** Migrations and backups may take longer than requests. */
export async function disableTimeouts(tx: Db, kind: DatabaseKind): Promise<void> {
  if (kind !== "postgres") return;
  await sql`set local statement_timeout = 0`.execute(tx);
  await sql`set local lock_timeout = 0`.execute(tx);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
}

/** Names the tables that have fewer rows than `counts` says; a newer version may have dropped a table. */
export async function listShortTables(db: Db, counts: Readonly<Record<string, number>>): Promise<string[]> {
  const existing = new Set((await db.introspection.getTables()).map(({ name }) => name));
  const short: string[] = [];
  for (const [table, count] of Object.entries(counts).filter(([name]) => existing.has(name))) {
    const query = sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`;
    if ((await query.execute(db)).rows[0]!.count < count) short.push(table);
  }
  return short;
}

export async function hasTables(db: Db): Promise<boolean> {
  return (await db.introspection.getTables()).length > 0;
}

/** Works with the schema of every version. */
export async function hasMembers(db: Db): Promise<boolean> {
  return (await db.selectFrom("users").select("id").limit(1).execute()).length > 0;
}

/** Returns the existing tables of `included`, referenced tables first, so that they can be filled in this order. */
export async function listBackupTables(
  db: Db,
  kind: DatabaseKind,
  included: readonly string[],
): Promise<StoredTable[]> {
  const existing = new Map((await db.introspection.getTables()).map((table) => [table.name, table.columns]));
  const tables: StoredTable[] = [];
  for (const name of orderByReferences(included, await listForeignKeys(db, kind))) {
    const columns = existing.get(name);
    if (!columns) continue;
    const isNumbered = columns.some((column) => column.isAutoIncrementing);
    tables.push({
      name,
      lastId: isNumbered ? await readLastId(db, kind, name) : null,
      columns: columns.map((column) => column.name),
      types: columns.map((column) => column.dataType),
    });
  }
  return tables;
}

const fetchSize = { small: 1000, withBytes: 4 };

/** Reads in the order of the first column. */
export async function* readRows(db: Db, kind: DatabaseKind, table: StoredTable): AsyncGenerator<BackupRow> {
  const all = (db as unknown as UntypedDb)
    .selectFrom(table.name)
    .select([...table.columns])
    .orderBy(table.columns[0]!);
  // A PostgreSQL cursor accepts no parameters.
  const left = settingsNotInBackup.map((key) => sql.lit(key));
  const query = table.name === "settings" ? all.where("key", "not in", left) : all;
  const rows = kind === "postgres" ? fetchRows(db, table, query) : query.stream(fetchSize.small);
  for await (const row of rows) yield table.columns.map((column) => row[column]!);
}

type UntypedDb = Kysely<Record<string, Record<string, Cell>>>;

async function* fetchRows(db: Db, { types }: StoredTable, query: Expression<unknown>) {
  await sql`declare portable_rows no scroll cursor for ${query}`.execute(db);
  const size = sql.lit(types.includes("bytea") ? fetchSize.withBytes : fetchSize.small);
  for (;;) {
    const { rows } = await sql<Record<string, Cell>>`fetch ${size} from portable_rows`.execute(db);
    yield* rows;
    if (rows.length === 0) break;
  }
  await sql`close portable_rows`.execute(db);
}

/** Needed before a restore, because some migrations insert rows. */
export async function clearTable(tx: Db, name: string): Promise<void> {
  await sql`delete from ${sql.table(name)}`.execute(tx);
}

/** Makes filling the table faster. Returns a function that creates the indexes and foreign keys again. */
export async function dropIndexes(tx: Db, kind: DatabaseKind, table: string): Promise<() => Promise<void>> {
  const { rows } = await (kind === "postgres" ? findPostgresIndexes(table) : findSqliteIndexes(table)).execute(tx);
  for (const { removal } of rows) await sql.raw(removal).execute(tx);
  return async () => {
    for (const { definition } of rows) await sql.raw(definition).execute(tx);
  };
}

function findPostgresIndexes(table: string) {
  return sql<Index>`
    select format('drop index %I', indexname) as removal, indexdef as definition from pg_indexes
    where schemaname = current_schema() and tablename = ${table}
      and not exists (select from pg_constraint where conname = indexname)
    union all
    select format('alter table %s drop constraint %I', conrelid::regclass, conname),
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where conrelid = to_regclass(${table}) and contype = 'f'`;
}

/** SQLite cannot drop foreign keys. */
function findSqliteIndexes(table: string) {
  return sql<Index>`select format('drop index "%w"', name) as removal, sql as definition from sqlite_schema
    where type = 'index' and tbl_name = ${table} and sql is not null`;
}

interface Index {
  removal: string;
  definition: string;
}

/** Kysely takes longer to build a statement with thousands of parameters than the database to run it. */
export async function insertRows(
  tx: Db,
  kind: DatabaseKind,
  { name, columns, types }: StoredTable,
  rows: readonly BackupRow[],
): Promise<void> {
  const into = `insert into "${name}" (${columns.map((column) => `"${column}"`).join(", ")})`;
  if (kind === "postgres") {
    // One array parameter per column instead of one parameter per cell saves a third of PostgreSQL's time.
    const parameters = types.map((type, index) => `$${index + 1}::${type}[]`).join(", ");
    const cells = columns.map((_, index) => rows.map((row) => row[index]));
    await tx.executeQuery(CompiledQuery.raw(`${into} select * from unnest(${parameters})`, cells));
  } else {
    const parameters = rows.map(() => `(${columns.map(() => "?").join(", ")})`).join(", ");
    await tx.executeQuery(CompiledQuery.raw(`${into} values ${parameters}`, rows.flat()));
  }
}

async function readLastId(db: Db, kind: DatabaseKind, name: string): Promise<number | null> {
  if (kind === "sqlite") {
    const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${name}`.execute(db);
    return rows[0]?.seq ?? null;
  }
  const sequence = sql<{ name: string }>`select pg_get_serial_sequence(${name}, 'id') as name`;
  const [path] = (await sequence.execute(db)).rows.map((row) => row.name.replaceAll('"', "").split("."));
  const last = sql<{
    value: number | null;
  }>`select case when is_called then last_value end as value from ${sql.id(...path!)}`;
  return (await last.execute(db)).rows[0]!.value;
}

/** The next row gets an id after `last`. */
export async function writeLastId(tx: Db, kind: DatabaseKind, name: string, last: number): Promise<void> {
  if (kind === "postgres") {
    await sql`select setval(pg_get_serial_sequence(${name}, 'id'), ${last})`.execute(tx);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${name}`.execute(tx);
  await sql`insert into sqlite_sequence (name, seq) values (${name}, ${last})`.execute(tx);
}
