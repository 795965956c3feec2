import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import * as z from "zod/mini";

import { ImportFileError, type Line, parseTime, type WrongLine } from "../rules.ts";

interface StrichlisteOptions {
  /** The times in the database have no UTC offset. */
  readonly timeZone: string;
  /** Epoch ms; rows with a later time are refused. */
  readonly now: number;
}

interface Row {
  readonly id: number;
  readonly name: string | null;
  readonly created: string | null;
  readonly quantity: number | null;
  readonly article: string | null;
}

const text = z.nullable(z.string());
const number = z.nullable(z.number());
const named = z.object({ id: z.int(), name: text });
const transaction1 = z.object({ id: z.int(), userId: z.nullable(z.int()), createDate: text, value: number });
const transaction2 = z.object({
  id: z.int(),
  user_id: z.nullable(z.int()),
  article_id: z.nullable(z.int()),
  recipient_transaction_id: z.nullable(z.int()),
  sender_transaction_id: z.nullable(z.int()),
  quantity: number,
  amount: number,
  deleted: number,
  created: text,
});

const rowsPerTurn = 1000;

/** Reads SQLite databases of strichliste (a drinks tally app), version 1 or 2. */
export async function* readStrichliste(
  path: string,
  { timeZone, now }: StrichlisteOptions,
): AsyncGenerator<Line | WrongLine> {
  using database = openDatabase(path);
  let read = 0;
  try {
    for (const row of listDrinks(database)) {
      yield toLine(row, timeZone, now);
      read += 1;
      // Lets the event loop notice that the server has ended.
      if (read % rowsPerTurn === 0) await nextTurn();
    }
  } catch (error) {
    // Codes of a damaged file, and of an integer above 2^53.
    const isDamaged = ["ERR_SQLITE_ERROR", "ERR_OUT_OF_RANGE"].includes((error as NodeJS.ErrnoException).code ?? "");
    throw isDamaged ? new ImportFileError("notDatabase") : error;
  }
}

/** Opens an untrusted file read-only, without temporary files and without the functions and triggers in its schema. */
function openDatabase(path: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    // Without a write-ahead log the database has no writer; `immutable` then creates no files beside it.
    const address = pathToFileURL(path);
    if (!existsSync(`${path}-wal`)) address.searchParams.set("immutable", "1");
    database = new DatabaseSync(address, { readOnly: true, allowExtension: false });
    database.exec("pragma trusted_schema = off; pragma cell_size_check = on; pragma temp_store = memory");
    database.exec("select 1 from sqlite_schema limit 1");
    return database;
  } catch {
    database?.close();
    throw new ImportFileError("notDatabase");
  }
}

/**
 * Yields the drinks in the order of their bookings. Joins the tables here, because SQLite may need hours for a join.
 */
function listDrinks(database: DatabaseSync): Iterable<Row> {
  return findTableType(database, "article") === undefined ? listDrinks1(database) : listDrinks2(database);
}

/**
 * Reads strichliste 1, which has no articles: every negative amount is one drink. An undone drink counts, too, because
 * its undo is a separate row with a positive amount.
 */
function* listDrinks1(database: DatabaseSync): Generator<Row> {
  const names = readNames(database, "users");
  for (const { id, userId, createDate, value } of readTable(database, "transactions", transaction1))
    if (value !== null && value < 0 && names.has(userId))
      yield { id, name: names.get(userId)!, created: createDate, quantity: 1, article: null };
}

/** Omits undone purchases, payments and transfers. Without articles, every negative amount is one drink. */
function* listDrinks2(database: DatabaseSync): Generator<Row> {
  const names = readNames(database, "user");
  const articles = readNames(database, "article");
  let hasArticles = false;
  for (const { article_id } of readTable(database, "transactions", transaction2)) hasArticles ||= article_id !== null;
  for (const row of readTable(database, "transactions", transaction2)) {
    const isTransfer = row.recipient_transaction_id !== null || row.sender_transaction_id !== null;
    const isPurchase = row.amount !== null && row.amount < 0 && row.deleted === 0 && !isTransfer;
    if (!isPurchase || !names.has(row.user_id) || (hasArticles && row.article_id === null)) continue;
    const { id, user_id, article_id, created, quantity } = row;
    yield { id, name: names.get(user_id)!, created, quantity, article: articles.get(article_id) ?? null };
  }
}

function readNames(database: DatabaseSync, table: string): ReadonlyMap<number | null, string | null> {
  const names = new Map<number | null, string | null>();
  for (const { id, name } of readTable(database, table, named)) names.set(id, name);
  return names;
}

/** The column `type` of sqlite_schema can lie; the parsed schema cannot. */
function findTableType(database: DatabaseSync, table: string): unknown {
  return database.prepare("select type from pragma_table_list(?) where schema = 'main'").get(table)?.["type"];
}

/** Refuses views, virtual tables and generated columns, which compute while they are read. */
function* readTable<Shape extends z.core.$ZodShape>(
  database: DatabaseSync,
  table: string,
  schema: z.ZodMiniObject<Shape>,
): Generator<z.output<z.ZodMiniObject<Shape>>, void, undefined> {
  const columns = database.prepare("select name, hidden from pragma_table_xinfo(?)").all(table);
  const names = Object.keys(schema.def.shape);
  const isOrdinary = findTableType(database, table) === "table" && columns.every(({ hidden }) => hidden === 0);
  if (!isOrdinary || !names.every((name) => columns.some((column) => column["name"] === name)))
    throw new ImportFileError("notStrichliste");
  const list = names.map((name) => `"${name}"`).join(", ");
  // An index could contain other values than its table.
  for (const row of database.prepare(`select ${list} from main."${table}" not indexed`).iterate()) {
    const parsed = schema.safeParse(row);
    if (!parsed.success) throw new ImportFileError("notStrichliste");
    yield parsed.data;
  }
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
