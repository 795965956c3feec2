import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

import { type Dialect, type DialectAdapter, SqliteAdapter, SqliteDialect } from "kysely";

import { megabytes } from "#contract/sizes.ts";
import { every } from "#server/time.ts";

/** Returns `null` while another caller's transaction is open, because the query would read its uncommitted rows. */
type RunAtOnce = (sql: string, values: readonly unknown[], isInTransaction: boolean) => unknown[] | null;

/** The adapter of SQLite can also run queries without Kysely's queue. */
export type Adapter = DialectAdapter & { readonly runAtOnce?: RunAtOnce };

const maxCachedStatements = 500;

/** SQLite truncates a larger log after a checkpoint. */
const maxIdleWalBytes = megabytes(16);

/** `synchronous = full` keeps confirmed writes through a power cut. */
export function openSqlite(path: string): { dialect: Dialect; database: DatabaseSync } {
  const database = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true });
  database.exec(
    "pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -16000; pragma temp_store = memory",
  );
  // Deleted mails and links cannot be recovered from the file.
  database.exec("pragma secure_delete = on");
  // The write-ahead log grows during a long read.
  database.exec(`pragma journal_size_limit = ${maxIdleWalBytes}`);
  const nothing = { changes: 0, lastInsertRowid: 0 };
  const kept = new Map<string, ReturnType<typeof prepare>>();

  function prepare(sql: string) {
    // Plain BEGIN takes the write lock only at the first write, which fails if another process is writing. BEGIN
    // IMMEDIATE waits for the lock.
    const statement: StatementSync = database.prepare(sql === "begin" ? "begin immediate" : sql);
    return {
      reader: statement.columns().length > 0,
      all: (values: readonly unknown[]) => statement.all(...(values as SQLInputValue[])),
      run: (values: readonly unknown[]) =>
        // A full or broken disk ends the transaction. A ROLLBACK would fail and hide the disk's error.
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

/** Ignores writes of this process. Returns a function that stops watching. */
export function watchExternalWrites(database: DatabaseSync, everyMs: number, onWrite: () => void): () => void {
  const statement = database.prepare("pragma data_version");
  const read = () => (statement.get() as { data_version: number }).data_version;
  let seen = read();
  function check(): void {
    const version = read();
    if (version !== seen) onWrite();
    seen = version;
  }
  // The next request reports read errors.
  return every(everyMs, check, () => {});
}
