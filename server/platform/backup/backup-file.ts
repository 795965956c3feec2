// A backup file is gzipped JSON lines: a header, then for each table its columns and one line per row, and finally the
// number of rows and a checksum, which reveals an incomplete or changed file.
import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { lstat, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline, Readable } from "node:stream";
import { pipeline as finish } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";

import * as z from "zod/mini";

import { megabytes } from "#contract/sizes.ts";
import type { BackupRow } from "#server/db/backup-tables.ts";
import { CommandRefusedError } from "#server/platform/command.ts";
import { LineTooLongError, readLines } from "#server/platform/read-lines.ts";
import { secretsSchema } from "#server/platform/security/secrets.ts";
import { syncFolder } from "#server/sync-folder.ts";
import { hours } from "#server/time.ts";

const name = z.string().check(z.regex(/^[a-z_]+$/));

const headerSchema = z.object({
  stammtisch: z.literal("backup"),
  format: z.literal(1),
  at: z.string(),
  /** Missing in backups of version 1.0.0. */
  version: z.optional(z.string()),
  /** Names of the applied migrations. */
  migrations: z.array(z.string()),
  secrets: z.optional(secretsSchema),
});
const tableSchema = z.object({ table: name, columns: z.array(name), last_id: z.nullable(z.number()) });
const endSchema = z.object({ rows: z.record(z.string(), z.number()), sha256: z.string() });

export type BackupHeader = z.output<typeof headerSchema>;
export type BackupTable = z.output<typeof tableSchema>;
export type RowCounts = Readonly<Record<string, number>>;
/** A row belongs to the most recently started table. */
export type BackupRecord = { readonly table: BackupTable } | { readonly row: BackupRow };

const minChunkLength = 65_536;

/** A header has a few hundred bytes; the longest row contains the calendar's music, 20 MB in base64. */
const maxLineMebibytes = { header: 1, row: 64 };
const maxLineBytes = (line: number) => megabytes(line === 0 ? maxLineMebibytes.header : maxLineMebibytes.row);

const unfinishedName = /\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.part$/;
/** A backup without a write for this long counts as abandoned. */
const maxPauseMs = hours(1);

/** Renames the file once it is on the disk, so that a backup is never incomplete. */
export async function writeBackupFile(
  file: string,
  header: BackupHeader,
  pieces: AsyncIterable<BackupRecord>,
): Promise<RowCounts> {
  const hash = createHash("sha256");
  const rows: Record<string, number> = {};

  async function* chunks(): AsyncGenerator<string> {
    let chunk = `${JSON.stringify(header)}\n`;
    let table = "";
    for await (const piece of pieces) {
      if ("table" in piece) {
        ({ table } = piece.table);
        rows[table] = 0;
        chunk += `${JSON.stringify(piece.table)}\n`;
      } else {
        rows[table]! += 1;
        chunk += `${encodeRow(piece.row)}\n`;
      }
      if (chunk.length < minChunkLength) continue;
      hash.update(chunk);
      yield chunk;
      chunk = "";
    }
    hash.update(chunk);
    yield `${chunk}${JSON.stringify({ rows, sha256: hash.digest("hex") })}\n`;
  }

  await deleteUnfinishedBackups(dirname(resolve(file)), Date.parse(header.at));
  const unfinished = `${file}.${randomUUID()}.part`;
  try {
    // `wx` fails if the file exists, so that an existing symbolic link is not followed.
    const target = createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true });
    await finish(Readable.from(chunks()), createGzip({ level: 1 }), target);
    await rename(unfinished, file);
  } catch (error) {
    // In an inaccessible folder the removal fails for the same reason as the write.
    await rm(unfinished, { force: true }).catch(() => {});
    const { code, path, syscall = "" } = error as NodeJS.ErrnoException;
    // Write errors, e.g. of a full disk, have no `path`.
    if (path !== unfinished && !["write", "fsync"].includes(syscall)) throw error;
    throw new CommandRefusedError(`${file} cannot be written by user ${process.getuid?.()} (${code}).`);
  }
  syncFolder(dirname(resolve(file)));
  return rows;
}

/** Deletes leftovers of killed backups, but keeps recent files, which may belong to a running backup. */
async function deleteUnfinishedBackups(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const paths = names.filter((one) => unfinishedName.test(one)).map((one) => join(folder, one));
  for (const path of paths) {
    const found = await lstat(path).catch(() => null);
    if (found?.isFile() && now - found.mtimeMs > maxPauseMs && (found.size === 0 || (await isBackup(path))))
      await rm(path, { force: true }).catch(() => {});
  }
}

/** Throws unless `file` is an earlier backup, an empty file or a symbolic link. */
export async function assertReplaceable(file: string): Promise<void> {
  const existing = await lstat(file).catch(() => null);
  if (!existing || existing.isSymbolicLink() || (existing.isFile() && existing.size === 0)) return;
  if (existing.isFile() && (await isBackup(file))) return;
  throw new CommandRefusedError(`${file} exists and is not a backup of Stammtisch. Nothing was written.`);
}

async function isBackup(file: string): Promise<boolean> {
  try {
    await using backup = await openBackupFile(file);
    return backup.header.stammtisch === "backup";
  } catch {
    return false;
  }
}

export type BackupReader = Awaited<ReturnType<typeof openBackupFile>>;

export async function openBackupFile(file: string) {
  const refuse = (what: string) => new CommandRefusedError(`${file} ${what} Nothing was restored.`);
  const damaged = () => refuse("is damaged or cut off.");
  const noBackup = () => refuse("is not a backup of Stammtisch.");
  const openText = () => pipeline(createReadStream(file), createGunzip(), () => {});
  const lines = readLines(openText(), maxLineBytes);

  function toRefusal(error: unknown): Error {
    if (error instanceof LineTooLongError) return refuse(`has a line of more than ${maxLineMebibytes.row} MiB.`);
    const { code } = error as NodeJS.ErrnoException;
    return isGzipError(error) ? damaged() : refuse(`cannot be read by user ${process.getuid?.()} (${code}).`);
  }

  let lineNumber = 0;

  async function next(): Promise<string | null> {
    lineNumber += 1;
    const { value, done } = await lines.next();
    return done ? null : value;
  }

  async function readHeader(): Promise<BackupHeader> {
    try {
      return parseLine(headerSchema, await next(), noBackup);
    } catch (error) {
      await lines.return();
      if (error instanceof CommandRefusedError) throw error;
      const isOtherFile = error instanceof LineTooLongError || isGzipError(error);
      throw isOtherFile ? noBackup() : toRefusal(error);
    }
  }

  const header = await readHeader();

  const rows: Record<string, number> = {};

  return {
    header,
    /** Rows read so far. */
    rowCounts: (): RowCounts => rows,
    /** Throws if the file is incomplete or changed; much faster than reading the records. */
    async assertIntact(): Promise<void> {
      const { sha256, lastLine } = await hashLines(openText()).catch((error: unknown) => {
        throw toRefusal(error);
      });
      if (parseLine(endSchema, lastLine, damaged).sha256 !== sha256) throw damaged();
    },
    async *records(): AsyncGenerator<BackupRecord> {
      let table: BackupTable | null = null;
      const malformed = () => refuse(`has a malformed line, number ${lineNumber}.`);
      for (;;) {
        const line = await next().catch((error: unknown) => {
          throw toRefusal(error);
        });
        if (line?.startsWith('{"rows"')) return;
        if (line?.startsWith("[")) {
          const row = table && decodeRow(line, table.columns.length);
          if (!table || !row) throw malformed();
          rows[table.table]! += 1;
          yield { row };
        } else {
          table = parseLine(tableSchema, line, malformed);
          rows[table.table] = 0;
          yield { table };
        }
      }
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await lines.return();
    },
  };
}

function isGzipError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code?.startsWith("Z_") ?? false;
}

function parseLine<Schema extends z.ZodMiniType>(
  schema: Schema,
  line: string | null,
  otherwise: () => Error,
): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(line ?? ""));
  } catch {
    throw otherwise();
  }
}

const lineFeed = 10;

/** Hashes all lines before the last one. */
async function hashLines(text: AsyncIterable<Buffer>): Promise<{ sha256: string; lastLine: string }> {
  const hash = createHash("sha256");
  let line: Buffer[] = [];
  let lineBytes = 0;
  function hashLine(): void {
    for (const part of line) hash.update(part);
    line = [];
    lineBytes = 0;
  }
  for await (const chunk of text) {
    if (line.at(-1)?.at(-1) === lineFeed) hashLine();
    // A line feed as the chunk's last byte may be the end of the text.
    const end = chunk.subarray(0, -1).lastIndexOf(lineFeed) + 1;
    if (end > 0) {
      line.push(chunk.subarray(0, end));
      hashLine();
    }
    line.push(chunk.subarray(end));
    lineBytes += chunk.length - end;
    if (lineBytes > megabytes(maxLineMebibytes.row)) throw new LineTooLongError();
  }
  return { sha256: hash.digest("hex"), lastLine: Buffer.concat(line).toString() };
}

function encodeRow(row: BackupRow): string {
  return JSON.stringify(
    row.map((cell) => (cell instanceof Uint8Array ? { base64: Buffer.from(cell).toString("base64") } : cell)),
  );
}

/** `null` unless the line is a JSON array with one valid cell per column. Uses no schema, for speed. */
function decodeRow(line: string, columnCount: number): BackupRow | null {
  try {
    const cells = JSON.parse(line) as unknown[];
    return cells.length === columnCount ? cells.map(decodeCell) : null;
  } catch {
    return null;
  }
}

function decodeCell(cell: unknown): BackupRow[number] {
  if (cell === null || typeof cell === "string" || typeof cell === "number") return cell;
  const { base64 } = cell as { base64?: unknown };
  if (typeof base64 === "string") return Buffer.from(base64, "base64");
  throw new TypeError("not a cell");
}
