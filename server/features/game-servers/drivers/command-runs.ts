import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from "node:fs";
import { join } from "node:path";

import * as z from "zod/mini";

import { writeDurably } from "#server/platform/secrets.ts";

const schema = z.object({
  /** Carried by everything that this run started, in its environment. */
  token: z.string(),
  /** Null: the app was killed before it could write down whom it had started. */
  process: z.nullable(z.object({ pid: z.int(), startTime: z.string(), boot: z.string() })),
  startedAt: z.int(),
  /** Null: not over yet, or nobody of ours was there when it ended. */
  exitCode: z.nullable(z.int()),
});

/** One start of a server. */
export type Run = z.output<typeof schema>;

const longestLog = 2_097_152;
const keptOfLog = 262_144;

/** The last run of each server, on the disk, so that a restart of the app finds what it started; and what the servers print. */
export function openRuns(dataDir: string) {
  const folder = join(dataDir, "game-servers");
  const file = (id: number, ending: string) => join(folder, `${id}.${ending}`);
  return {
    read(id: number): Run | null {
      try {
        return schema.parse(JSON.parse(readFileSync(file(id, "json"), "utf8")));
      } catch {
        return null;
      }
    },
    write(id: number, run: Run): void {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeDurably(file(id, "json"), JSON.stringify(run));
    },
    /** For appending: only then a server goes on at the new end after its log was shortened. */
    openLog: (id: number): number => openSync(file(id, "log"), "a", 0o600),
    /** Leaves the end of a log that has grown too long. */
    shortenLog(id: number): void {
      const size = statSync(file(id, "log"), { throwIfNoEntry: false })?.size ?? 0;
      if (size <= longestLog) return;
      const log = openSync(file(id, "log"), "r+");
      const end = Buffer.alloc(keptOfLog);
      readSync(log, end, 0, keptOfLog, size - keptOfLog);
      ftruncateSync(log);
      closeSync(log);
      appendFileSync(file(id, "log"), end);
    },
  };
}
