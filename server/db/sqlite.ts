import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

import { type Dialect, type DialectAdapter, SqliteAdapter, SqliteDialect } from "kysely";

import { every } from "#server/time.ts";

/** Runs a query at once; null while somebody else's transaction is open, whose rows nobody may see yet. */
type RunAtOnce = (sql: string, values: readonly unknown[], isInTransaction: boolean) => unknown[] | null;

/** What kysely knows of a database: SQLite can also run a query without waiting in kysely's queue. */
export type Adapter = DialectAdapter & { readonly runAtOnce?: RunAtOnce };

/** How many prepared statements are kept. */
const maxCachedStatements = 500;

/** To how many bytes the write-ahead log is truncated when it is no longer needed. */
const maxIdleWalBytes = 16 * 1_048_576;

/**
 * node:sqlite under kysely. Write-ahead log with synchronous FULL: what is acknowledged survives a power cut.
 * `path` may be `:memory:`.
 */
export function openSqlite(path: string): { dialect: Dialect; database: DatabaseSync } {
  const database = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true });
  database.exec(
    "pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -16000; pragma temp_store = memory",
  );
  // Mails and links are not readable in the file after they were deleted.
  database.exec("pragma secure_delete = on");
  // A long reader lets the log grow; afterwards its space is freed.
  database.exec(`pragma journal_size_limit = ${maxIdleWalBytes}`);
  const nothing = { changes: 0, lastInsertRowid: 0 };
  const kept = new Map<string, ReturnType<typeof prepare>>();

  function prepare(sql: string) {
    // A plain BEGIN takes its write lock late and then fails where a second process writes; IMMEDIATE waits for it.
    const statement: StatementSync = database.prepare(sql === "begin" ? "begin immediate" : sql);
    return {
      reader: statement.columns().length > 0,
      all: (values: readonly unknown[]) => statement.all(...(values as SQLInputValue[])),
      run: (values: readonly unknown[]) =>
        // A full or broken disk ends a transaction by itself; that error matters, not the failed ROLLBACK.
        sql === "rollback" && !database.isTransaction ? nothing : statement.run(...(values as SQLInputValue[])),
      iterate: (values: readonly unknown[]) => statement.iterate(...(values as SQLInputValue[])),
    };
  }

  function prepareOnce(sql: string) {
    const known = kept.get(sql);
    if (known) return known;
    const statement = prepare(sql);
    if (kept.size >= maxCachedStatements) kept.delete(kept.keys().next().value!);
    kept.set(sql, statement);
    return statement;
  }

  const runAtOnce: RunAtOnce = (sql, values, isInTransaction) =>
    database.isTransaction === isInTransaction ? prepareOnce(sql).all(values) : null;
  const adapter: Adapter = Object.assign(new SqliteAdapter(), { runAtOnce });
  const dialect = new SqliteDialect({ database: { prepare: prepareOnce, close: () => database.close() } });
  return { database, dialect: Object.assign(dialect, { createAdapter: () => adapter }) };
}

/** Calls back when another process (the command line) wrote to the file. Our own commits do not count. */
export function watchExternalWrites(database: DatabaseSync, everyMs: number, onWrite: () => void): () => void {
  const statement = database.prepare("pragma data_version");
  const read = () => (statement.get() as { data_version: number }).data_version;
  let seen = read();
  function check(): void {
    const version = read();
    if (version !== seen) onWrite();
    seen = version;
  }
  // Where the file cannot be read, the next request says so.
  return every(everyMs, check, () => {});
}
