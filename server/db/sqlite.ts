import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

import { type Dialect, type DialectAdapter, SqliteAdapter, SqliteDialect } from "kysely";

import { every } from "#server/time.ts";

/** Runs a query at once; returns `null` while another caller's transaction is open, since its rows are uncommitted. */
type RunAtOnce = (sql: string, values: readonly unknown[], isInTransaction: boolean) => unknown[] | null;

/** A kysely adapter; SQLite's can also run a query without waiting in kysely's queue. */
export type Adapter = DialectAdapter & { readonly runAtOnce?: RunAtOnce };

const maxCachedStatements = 500;

/** Size in bytes to which an idle write-ahead log is truncated. */
const maxIdleWalBytes = 16 * 1_048_576;

/**
 * Opens node:sqlite for kysely, with a write-ahead log and synchronous FULL: confirmed writes survive a power cut. `path` may be
 * `:memory:`.
 */
export function openSqlite(path: string): { dialect: Dialect; database: DatabaseSync } {
  const database = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true });
  database.exec(
    "pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -16000; pragma temp_store = memory",
  );
  // Overwrites deleted rows, so that deleted mails and links cannot be read from the file.
  database.exec("pragma secure_delete = on");
  // The log grows during a long read; this frees its space afterwards.
  database.exec(`pragma journal_size_limit = ${maxIdleWalBytes}`);
  const nothing = { changes: 0, lastInsertRowid: 0 };
  const kept = new Map<string, ReturnType<typeof prepare>>();

  function prepare(sql: string) {
    // A plain BEGIN takes the write lock late and fails if another process writes; IMMEDIATE waits for the lock.
    const statement: StatementSync = database.prepare(sql === "begin" ? "begin immediate" : sql);
    return {
      reader: statement.columns().length > 0,
      all: (values: readonly unknown[]) => statement.all(...(values as SQLInputValue[])),
      run: (values: readonly unknown[]) =>
        // A full or broken disk ends a transaction automatically. Report that error, not the failed ROLLBACK.
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

/** Calls back after another process (the command line) has written to the file. Commits of this process do not count. */
export function watchExternalWrites(database: DatabaseSync, everyMs: number, onWrite: () => void): () => void {
  const statement = database.prepare("pragma data_version");
  const read = () => (statement.get() as { data_version: number }).data_version;
  let seen = read();
  function check(): void {
    const version = read();
    if (version !== seen) onWrite();
    seen = version;
  }
  // If the file cannot be read, the next request reports it.
  return every(everyMs, check, () => {});
}
