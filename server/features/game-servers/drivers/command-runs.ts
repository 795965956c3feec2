import { createHash } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from "node:fs";
import { join } from "node:path";

import * as z from "zod/mini";

import { writeFileDurably } from "#server/platform/secrets.ts";
import type { Target } from "./driver.ts";
import { findLastLine } from "./last-line.ts";

const schema = z.object({
  /** A hash of `ref`: the ids of removed servers are used again. */
  setup: z.string(),
  /** In the environment of every process of this run. */
  token: z.string(),
  /** Null: the app was killed before it could store the process that it had started. */
  process: z.nullable(z.object({ pid: z.int(), startTime: z.string(), boot: z.string() })),
  startedAt: z.int(),
  /** Null: still running, or the app that started it was gone when it ended. */
  exitCode: z.nullable(z.int()),
});

/** One start of a server. */
export type Run = z.output<typeof schema>;

const maxLogBytes = 2_097_152;
const keptLogBytes = 262_144;
/** The end of a log in which the last line is looked for. */
const lastLineBytes = 4096;

/** The last run of each server and what it printed, as files, so that a restarted app finds what it had started. */
export function createRunStore(dataDir: string) {
  const folder = join(dataDir, "game-servers");
  const file = (id: number, ending: string) => join(folder, `${id}.${ending}`);
  /** The size of each log when it was opened last. */
  const openedAt = new Map<number, number>();
  return {
    read({ id, ref }: Target): Run | null {
      try {
        const run = schema.parse(JSON.parse(readFileSync(file(id, "json"), "utf8")));
        return run.setup === fingerprint(ref) ? run : null;
      } catch {
        return null;
      }
    },
    write({ id, ref }: Target, run: Omit<Run, "setup">): void {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileDurably(file(id, "json"), JSON.stringify({ ...run, setup: fingerprint(ref) }));
    },
    /** For appending: only then a server continues at the new end after its log was shortened. */
    openLog(id: number): number {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const log = openSync(file(id, "log"), "a", 0o600);
      openedAt.set(id, fstatSync(log).size);
      return log;
    },
    /** Returns the last line printed since openLog(); null: none, or this process has not opened the log. */
    readLastLine(id: number): string | null {
      const begin = openedAt.get(id);
      if (begin === undefined) return null;
      try {
        const size = statSync(file(id, "log")).size;
        // A log that was shortened is smaller than it was.
        const from = Math.max(begin > size ? 0 : begin, size - lastLineBytes);
        const end = Buffer.alloc(size - from);
        const log = openSync(file(id, "log"), "r");
        readSync(log, end, 0, end.length, from);
        closeSync(log);
        return findLastLine(end.toString());
      } catch {
        return null;
      }
    },
    /** Keeps only the end of a log that has grown too long; on a full disk it stays long. */
    shortenLog(id: number): void {
      const size = statSync(file(id, "log"), { throwIfNoEntry: false })?.size ?? 0;
      if (size <= maxLogBytes) return;
      ignoringFullDisk(() => {
        const log = openSync(file(id, "log"), "r+");
        const end = Buffer.alloc(keptLogBytes);
        readSync(log, end, 0, keptLogBytes, size - keptLogBytes);
        ftruncateSync(log);
        closeSync(log);
        appendFileSync(file(id, "log"), end);
      });
    },
  };
}

/** Does without a write that fails: a full disk must not end the app. */
export function ignoringFullDisk(write: () => void): void {
  try {
    write();
  } catch {
    // Then the exit code stays unknown, or the log long.
  }
}

/** Command lines may hold passwords, so they are not stored a second time. */
function fingerprint(ref: string): string {
  return createHash("sha256").update(ref).digest("base64url");
}
