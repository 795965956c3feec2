import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import { ImportFileError, type Line, parseTime, type WrongLine } from "../rules.ts";

interface StrichlisteOptions {
  /** Time zone of the times in the database, which have no UTC offset. */
  readonly timeZone: string;
  /** Current time in epoch milliseconds; rows with a later time are refused. */
  readonly now: number;
}

interface Row {
  readonly id: number;
  readonly name: string | null;
  readonly created: string | null;
  readonly quantity: number | null;
  readonly article: string | null;
}

/**
 * Query for strichliste 1, which has no articles: every negative amount is one drink. An undone
 * drink counts, too, because its undo is a separate row with a positive amount.
 */
const version1 = `
  select transactions.id, users.name, transactions.createDate as created, 1 as quantity, null as article
  from transactions join users on users.id = transactions.userId
  where transactions.value < 0
  order by transactions.id`;

/**
 * Query for strichliste 2: purchases that were not undone. Excludes payments and transfers between
 * members.
 */
const version2 = (hasArticles: boolean) => `
  select transactions.id, "user".name, transactions.created, transactions.quantity, article.name as article
  from transactions
  join "user" on "user".id = transactions.user_id
  left join article on article.id = transactions.article_id
  where transactions.amount < 0 and transactions.deleted = 0
    and transactions.recipient_transaction_id is null and transactions.sender_transaction_id is null
    ${hasArticles ? "and transactions.article_id is not null" : ""}
  order by transactions.id`;

const rowsPerTurn = 1000;

/**
 * Reads the drinks from the SQLite database of strichliste (a drinks tally app), version 1 or 2.
 */
export async function* readStrichliste(
  path: string,
  { timeZone, now }: StrichlisteOptions,
): AsyncGenerator<Line | WrongLine> {
  using database = openDatabase(path);
  let read = 0;
  for (const row of database.prepare(findQuery(database)).iterate()) {
    yield toLine(row as unknown as Row, timeZone, now);
    read += 1;
    if (read % rowsPerTurn === 0) await nextTurn();
  }
}

/**
 * Opens an untrusted database file read-only, with the functions and triggers in its schema
 * disabled.
 */
function openDatabase(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    // Without a write-ahead log the database has no writer; `immutable` then avoids creating files
    // beside it.
    const address = pathToFileURL(path);
    if (!existsSync(`${path}-wal`)) address.searchParams.set("immutable", "1");
    database = new DatabaseSync(address, { readOnly: true, allowExtension: false });
    database.exec("pragma trusted_schema = off; pragma cell_size_check = on; select 1 from sqlite_schema limit 1");
    return database;
  } catch {
    database?.close();
    throw new ImportFileError("notDatabase");
  }
}

/** Returns the query for the strichliste version that has these tables; ignores views. */
function findQuery(database: DatabaseSync): string {
  const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
  const has = (...names: string[]) => names.every((name) => tables.some((table) => table["name"] === name));
  if (has("user", "transactions", "article")) {
    const purchase = database.prepare("select 1 from transactions where article_id is not null limit 1").get();
    return version2(purchase !== undefined);
  }
  if (has("users", "transactions")) return version1;
  throw new ImportFileError("notStrichliste");
}

function toLine({ id, name, created, quantity, article }: Row, timeZone: string, now: number): Line | WrongLine {
  if (name === null || name.trim() === "") return { line: id, problem: "name" };
  const at = parseTime(String(created), timeZone);
  if (at === null) return { line: id, problem: "time" };
  if (at > now) return { line: id, problem: "future" };
  const count = quantity ?? 1;
  if (!Number.isInteger(count) || count < 1 || count > 100) return { line: id, problem: "count" };
  return { line: id, name, at, count, id: `strichliste ${id} ${at}`, ...(article !== null && { article }) };
}
