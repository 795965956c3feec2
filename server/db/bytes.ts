import { type RawBuilder, sql } from "kysely";

/** Both ends are inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** `tag` changes whenever the content changes. */
export interface StoredFile {
  readonly size: number;
  readonly tag: string;
  read(range: ByteRange): Promise<Buffer>;
}

export function bytesIn(column: string, { start, end }: ByteRange): RawBuilder<Buffer> {
  return sql<Buffer>`substr(${sql.ref(column)}, ${start + 1}, ${end - start + 1})`;
}

export function sizeOf(column: string): RawBuilder<number> {
  return sql<number>`length(${sql.ref(column)})`;
}
