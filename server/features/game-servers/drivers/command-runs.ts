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

import { writeFileDurably } from "#server/platform/security/secrets.ts";
import { findLastLine, type Target } from "./driver.ts";

const schema = z.object({
  /** Hash of `ref`, so that a new game server ignores the run of a removed one with the same id. */
  setup: z.string(),
  /** Random token in the environment of every process of the run, by which a restarted app finds them. */
  token: z.string(),
  /** `null` if the app was killed before it could store the identity. */
  process: z.nullable(z.object({ pid: z.int(), startTime: z.string(), boot: z.string() })),
  startedAt: z.int(),
  /** `null` while the program is running, or if it ended while the app was down. */
  exitCode: z.nullable(z.int()),
});

export type Run = z.output<typeof schema>;

const maxLogBytes = 2_097_152;
const keptLogBytes = 262_144;
const lastLineBytes = 4096;

/** Stores the last run of each game server and its output as files, so that a restarted app finds its programs. */
export function createRunStore(dataDir: string) {
  const folder = join(dataDir, "game-servers");
  const file = (id: number, ending: string) => join(folder, `${id}.${ending}`);
  /** Size of each log when it was last opened, by server id. */
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
    /**
     * Opens the log to append, because a program would otherwise continue at its old offset after the log was
     * truncated.
     */
    openLog(id: number): number {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const log = openSync(file(id, "log"), "a", 0o600);
      openedAt.set(id, fstatSync(log).size);
      return log;
    },
    /** Returns the last line since openLog(); `null` if none was printed, or if this process has not opened the log. */
    readLastLine(id: number): string | null {
      const begin = openedAt.get(id);
      if (begin === undefined) return null;
      try {
        const size = statSync(file(id, "log")).size;
        // A truncated log, smaller than when it was opened, is read from the start.
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
    /** Keeps the whole log if the disk is full. */
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

/** Ignores errors, because a full disk must not end the app. */
export function ignoringFullDisk(write: () => void): void {
  try {
    write();
  } catch {
    // The exit code remains unknown or the log remains long.
  }
}

/** Hashes command lines, because they may contain passwords and should not be stored twice. */
function fingerprint(ref: string): string {
  return createHash("sha256").update(ref).digest("base64url");
}
