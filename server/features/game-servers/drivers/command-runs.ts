import { createHash } from "node:crypto";
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

import { writeFileDurably } from "#server/platform/secrets.ts";
import type { Target } from "./driver.ts";

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

/** The last run of each server and what it printed, as files, so that a restarted app finds what it had started. */
export function createRunStore(dataDir: string) {
  const folder = join(dataDir, "game-servers");
  const file = (id: number, ending: string) => join(folder, `${id}.${ending}`);
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
    openLog: (id: number): number => openSync(file(id, "log"), "a", 0o600),
    /** Keeps only the end of a log that has grown too long. */
    shortenLog(id: number): void {
      const size = statSync(file(id, "log"), { throwIfNoEntry: false })?.size ?? 0;
      if (size <= maxLogBytes) return;
      const log = openSync(file(id, "log"), "r+");
      const end = Buffer.alloc(keptLogBytes);
      readSync(log, end, 0, keptLogBytes, size - keptLogBytes);
      ftruncateSync(log);
      closeSync(log);
      appendFileSync(file(id, "log"), end);
    },
  };
}

/** Command lines may hold passwords, so they are not stored a second time. */
function fingerprint(ref: string): string {
  return createHash("sha256").update(ref).digest("base64url");
}
