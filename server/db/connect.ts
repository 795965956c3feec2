import { closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { Socket } from "node:net";
import { dirname, join } from "node:path";

import { Kysely, PostgresDialect, type Transaction } from "kysely";

import { loadPg } from "./load-pg.ts";
import type { Tables } from "./schema.ts";
import { openSqlite, watchExternalWrites } from "./sqlite.ts";
import { runInTransactionScope } from "./transaction-scope.ts";

/** A transaction is a `Db`, too. */
export type Db = Kysely<Tables>;
export type DatabaseKind = "sqlite" | "postgres";

export interface Database extends AsyncDisposable {
  readonly db: Db;
  readonly kind: DatabaseKind;
  /**
   * Reports writes of other processes to the SQLite file; never on PostgreSQL, where instances notify each other.
   * Returns a function that stops watching.
   */
  watchExternalWrites(onWrite: () => void): () => void;
  close(): Promise<void>;
}

const externalWritesPollMs = 250;
const int8 = 20;

/** `silence`: a connection without a response for this long is considered lost. */
const timeoutsMs = { connect: 2500, lock: 2000, statement: 4000, silence: 4500, idleInTransaction: 10_000 };

const sessionTimeouts = [
  `set statement_timeout = ${timeoutsMs.statement}`,
  `set lock_timeout = ${timeoutsMs.lock}`,
  `set idle_in_transaction_session_timeout = ${timeoutsMs.idleInTransaction}`,
].join("; ");

/** `databaseUrl` is `null` if the data are in the SQLite file in `dataDir`. */
export interface DataLocation {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
}

/**
 * `isServing` closes PostgreSQL connections that do not respond, so that requests fail fast. Commands omit it, because
 * their queries may take long. `maxConnections` applies to PostgreSQL.
 */
export function openDatabase(
  { databaseUrl, dataDir }: DataLocation,
  { isServing = false, maxConnections = 10 } = {},
): Database {
  return databaseUrl ? openPostgres(databaseUrl, isServing, maxConnections) : openSqliteFile(dataDir);
}

export async function withDatabase<Result>(
  location: DataLocation,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  await using database = openDatabase(location);
  return await work(database);
}

export function databaseFile(dataDir: string): string {
  return join(dataDir, "stammtisch.db");
}

/** Node's `recursive` mkdir loops forever in /proc, where creating a folder fails with ENOENT. */
export function createDataDirectory(dataDir: string): void {
  const isFolder = () => statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder()) return;
  createDataDirectory(dirname(dataDir));
  try {
    mkdirSync(dataDir, { mode: 0o700 });
  } catch (error) {
    // Another process may have created the folder first.
    if (!isFolder()) throw error;
  }
}

function openSqliteFile(dataDir: string): Database {
  if (dataDir === ":memory:") return toDatabase(openSqlite(dataDir));
  createDataDirectory(dataDir);
  const path = databaseFile(dataDir);
  // SQLite copies these permissions to its log files. Does not open an existing file, because closing it would release
  // all locks that this process holds on it (POSIX).
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  return toDatabase(openSqlite(path));
}

export function toDatabase({ dialect, database }: ReturnType<typeof openSqlite>): Database {
  const db = new Kysely<Tables>({ dialect });
  return {
    db,
    kind: "sqlite",
    watchExternalWrites: (onWrite) => watchExternalWrites(database, externalWritesPollMs, onWrite),
    close: () => db.destroy(),
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

function openPostgres(connectionString: string, isServing: boolean, max: number): Database {
  const pg = loadPg();
  const types = new pg.TypeOverrides();
  // Epoch milliseconds and counts are far below 2^53, so JavaScript numbers are exact.
  types.setTypeParser(int8, Number);
  const pool = new pg.Pool({
    connectionString,
    types,
    max,
    connectionTimeoutMillis: timeoutsMs.connect,
    // An idle connection is closed before it counts as lost.
    idleTimeoutMillis: timeoutsMs.silence / 2,
    keepAlive: true,
    ...(isServing && { stream: createSocketWithTimeout }),
  });
  // An `error` event without a listener would end the process. The next query reports the lost connection.
  pool.on("error", () => {});
  pool.on("connect", (client) => {
    client.on("error", () => {});
    // Poolers refuse the timeouts as options of the connection. The client sends its queries in order, so this
    // statement runs before the first query of the pool.
    client.query(sessionTimeouts).catch(() => {});
  });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    kind: "postgres",
    watchExternalWrites: () => () => {},
    close: () => db.destroy(),
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

/** Without this timeout, the operating system reports a connection whose packets are dropped only after 15 minutes. */
function createSocketWithTimeout(): Socket {
  const socket = new Socket();
  return socket.setTimeout(timeoutsMs.silence, () => socket.destroy(new Error("Connection terminated: it was silent")));
}

/** `work` must use `tx` for all queries. Events, and messages in the outbox, are sent after the commit. */
export async function inTransaction<Result>(
  db: Db,
  work: (tx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  const waits: (() => unknown)[] = [];
  const result = await db.transaction().execute((tx) => runInTransactionScope(tx, waits, work));
  for (const wait of waits) await wait();
  return result;
}

const unavailableSqliteCodes = new Set([5, 8, 10, 13, 14, 11, 6]);
/** PostgreSQL's messages cannot be matched, because their language depends on the server. */
const unavailableCodes =
  /^(08|53|57|40|55P03|25006)|^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT)$/;
const lostConnectionMessages = /timeout exceeded when trying to connect|Connection terminated|not queryable/i;

function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && lostConnectionMessages.test(error.message);
}

/**
 * Ignores the failure of an optional write, e.g. on a full disk. Rethrows a lost connection, because every further
 * query would wait for the timeout again.
 */
export function tryWrite(write: Promise<void>): Promise<void> {
  return write.catch((error: unknown) => {
    if (isConnectionLost(error)) throw error;
  });
}

/** `true` for a temporary outage, `false` e.g. for an error in our SQL. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as Error & { code?: string; errcode?: number };
  if (code === "ERR_SQLITE_ERROR") return errcode !== undefined && unavailableSqliteCodes.has(errcode & 0xff);
  return isConnectionLost(error) || (code !== undefined && unavailableCodes.test(code));
}

/** SQLITE_FULL, and SQLITE_IOERR_WRITE, which a disk quota causes. */
const fullSqliteCodes = new Set([13, 778]);
/** PostgreSQL's disk_full and the codes of file systems. */
const fullDiskCodes = new Set(["53100", "ENOSPC", "EDQUOT"]);

/** Includes a full quota, and writes to files. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as Error & { code?: string; errcode?: number };
  if (code === "ERR_SQLITE_ERROR") return errcode !== undefined && fullSqliteCodes.has(errcode);
  return code !== undefined && fullDiskCodes.has(code);
}

/** Returns one line for the operator with the reason and the setting to check; `null` for any other error. */
export function explainDatabaseError(error: unknown): string | null {
  const { code = "", message, syscall = "" } = error as NodeJS.ErrnoException;
  if (code === "ERR_SQLITE_ERROR")
    return isUnavailable(error) ? `DATA_DIR: the database cannot be used (${message}).` : null;
  // The codes mean: wrong login or database, missing privileges, too many connections, and a server that stops or
  // starts. Errors of the driver have no code.
  const isRejected = /^(28|3D|42501|53|57P)/.test(code) || /^SASL: |^The server does not support SSL/.test(message);
  // If a host name has several addresses, Node throws an AggregateError without a message.
  const isUnreachable = error instanceof AggregateError || ["connect", "getaddrinfo"].includes(syscall);
  if (!isRejected && !isUnreachable && !isConnectionLost(error)) return null;
  return `DATABASE_URL: PostgreSQL cannot be used (${message || code}).`;
}

/** `true` if the database rejected a value because of its type or a constraint. */
export function isRefusedValue(error: unknown): boolean {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return code === "ERR_SQLITE_ERROR" ? /constraint failed|mismatch/.test(message) : /^2[23][\dA-Z]{3}$/.test(code);
}

/** Returns the violated unique column or index, e.g. `users.email_key`; `null` for any other error. */
export function findViolatedConstraint(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, constraint } = error as Error & { code?: string; constraint?: string };
  if (code === "23505") return constraint ?? "";
  return /UNIQUE constraint failed: (.+)/.exec(error.message)?.[1] ?? null;
}
