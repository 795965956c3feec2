import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";

import { CsvError, parse } from "csv-parse";

import { ImportFileError, type Line, parseCount, parseTime, type WrongLine } from "../rules.ts";

const delimiters = [";", "\t", ","];
/** Maximum bytes per record. Without it, an unclosed quote makes the whole file one record. */
const maxRecord = 10_000;
const recordsPerTurn = 500;

interface CsvOptions {
  /** For times without a UTC offset. */
  readonly timeZone: string;
  /** Epoch ms; lines with a later time are refused. */
  readonly now: number;
}

/** Reads the columns `name`, `time` and optionally `count`, separated by commas, semicolons or tabs. */
export async function* readCsv(
  file: AsyncIterable<Buffer>,
  { timeZone, now }: CsvOptions,
): AsyncGenerator<Line | WrongLine> {
  const text = decode(file)[Symbol.asyncIterator]();
  const first = await text.next();
  if (first.done) throw new ImportFileError("header", 1);
  const header = new Set(first.value.slice(0, first.value.indexOf("\n") + 1 || undefined));
  const delimiter = delimiters.find((one) => header.has(one)) ?? ",";
  const parser = Readable.from(prepend(first.value, text)).pipe(
    parse({
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: maxRecord,
    }),
  ) as Readable & AsyncIterable<{ record: string[]; info: { lines: number; records: number } }>;
  let columns: Columns | undefined;
  try {
    for await (const { record, info } of parser) {
      // Reading buffered records never yields to the event loop, which must notice that the server has ended.
      if (info.records % recordsPerTurn === 0) await nextTurn();
      if (columns === undefined) columns = findColumns(record);
      else yield toLine(record, columns, info.lines, { timeZone, now });
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw new ImportFileError("quotes", "lines" in error ? Number(error["lines"]) : null);
    throw error;
  }
  if (columns === undefined) throw new ImportFileError("header", 1);
}

/** Removes the byte order mark. Refuses other encodings, which spreadsheets often write. */
async function* decode(file: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of file) {
      const text = decoder.decode(chunk, { stream: true });
      if (text !== "") yield text;
    }
    decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw new ImportFileError("encoding");
    throw error;
  }
}

async function* prepend(first: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

type Columns = Readonly<Record<"name" | "time" | "count", number>>;

/** Returns -1 if `count` is missing. */
function findColumns(header: readonly string[]): Columns {
  const find = (name: string) => header.findIndex((one) => one.toLowerCase() === name);
  const columns = { name: find("name"), time: find("time"), count: find("count") };
  if (columns.name < 0 || columns.time < 0) throw new ImportFileError("header", 1);
  return columns;
}

function toLine(record: readonly string[], columns: Columns, line: number, options: CsvOptions): Line | WrongLine {
  const name = record[columns.name] ?? "";
  if (name === "") return { line, problem: "name" };
  const at = parseTime(record[columns.time] ?? "", options.timeZone);
  if (at === null) return { line, problem: "time" };
  if (at > options.now) return { line, problem: "future" };
  const count = parseCount(record[columns.count] ?? "");
  if (count === null) return { line, problem: "count" };
  return { line, name, at, count, id: `csv ${at}` };
}
