import { type RawBuilder, sql } from "kysely";

/** Bytes `start` up to and including `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file in a row that is read piece by piece; `tag` changes with its bytes. */
export interface StoredFile {
  readonly size: number;
  readonly tag: string;
  read(range: ByteRange): Promise<Buffer>;
}

/** A range of the bytes in a column. */
export function bytesIn(column: string, { start, end }: ByteRange): RawBuilder<Buffer> {
  return sql<Buffer>`substr(${sql.ref(column)}, ${start + 1}, ${end - start + 1})`;
}

/** How many bytes are in a column. */
export function sizeOf(column: string): RawBuilder<number> {
  return sql<number>`length(${sql.ref(column)})`;
}
