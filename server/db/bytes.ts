import { type RawBuilder, sql } from "kysely";

/** A range of bytes in a file. Both ends are inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * A file that is stored in a database row and read in ranges. `tag` changes whenever its content
 * changes.
 */
export interface StoredFile {
  readonly size: number;
  readonly tag: string;
  read(range: ByteRange): Promise<Buffer>;
}

/** Selects a range of the bytes in a column. */
export function bytesIn(column: string, { start, end }: ByteRange): RawBuilder<Buffer> {
  return sql<Buffer>`substr(${sql.ref(column)}, ${start + 1}, ${end - start + 1})`;
}

export function sizeOf(column: string): RawBuilder<number> {
  return sql<number>`length(${sql.ref(column)})`;
}
