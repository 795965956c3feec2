import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CommandRefusedError } from "#server/platform/command.ts";

export class LineTooLongError extends Error {}

/**
 * Splits only at line feeds, since names may contain other line separators. `maxBytes` returns the limit of the line
 * with the given index. Throws a `LineTooLongError` before the end of a longer line is read.
 */
export async function* readLines(
  text: AsyncIterable<Buffer>,
  maxBytes: (line: number) => number = () => Number.POSITIVE_INFINITY,
): AsyncGenerator<string, void, void> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let number = 0;
  for await (const chunk of text) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      if (restBytes + at - from > maxBytes(number)) throw new LineTooLongError();
      yield Buffer.concat([...rest, chunk.subarray(from, at)]).toString();
      rest = [];
      restBytes = 0;
      number += 1;
      from = at + 1;
    }
    if (from === chunk.length) continue;
    rest.push(chunk.subarray(from));
    restBytes += chunk.length - from;
    if (restBytes > maxBytes(number)) throw new LineTooLongError();
  }
  if (rest.length > 0) yield Buffer.concat(rest).toString();
}

export interface LineFile {
  /** Starts at the first line; can be called repeatedly. */
  lines(): AsyncGenerator<string>;
  close(): Promise<void>;
}

/** Can be read repeatedly, even if the file is larger than the memory. */
export async function openLineFile(file: string): Promise<LineFile> {
  const source = await openRereadable(file);
  return {
    async *lines() {
      let isFirst = true;
      for await (const line of readLines(source.createReadStream({ start: 0, autoClose: false }))) {
        // Windows programs begin text files with a byte order mark.
        yield isFirst ? line.replace(/^\uFEFF/, "") : line;
        isFirst = false;
      }
    },
    close: () => source.close(),
  };
}

/** Copies the content of a pipe, which can be read only once. */
async function openRereadable(file: string): Promise<FileHandle> {
  const source = await open(file);
  if ((await source.stat()).isFile()) return source;
  const folder = await mkdtemp(join(tmpdir(), "stammtisch-"));
  const copy = await open(join(folder, "lines"), "wx+", 0o600);
  // Without its name, the system frees the copy's disk space even if this process is killed.
  await rm(folder, { recursive: true });
  try {
    for await (const chunk of source.createReadStream())
      await copy.writeFile(chunk).catch(() => {
        throw new CommandRefusedError(`There is no room for a copy of ${file} in ${tmpdir()}.`);
      });
  } catch (error) {
    await copy.close();
    throw error;
  }
  return copy;
}
