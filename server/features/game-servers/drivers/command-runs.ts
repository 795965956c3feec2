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
import { createHash } from "node:crypto";
import { join } from "node:path";

import * as z from "zod/mini";

import { writeFileDurably } from "#server/platform/secrets.ts";
import type { Target } from "./driver.ts";

const schema = z.object({
  /** Of what was set up: numbers of removed servers come again. */
  setup: z.string(),
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

const maxLogBytes = 2_097_152;
const keptLogBytes = 262_144;

/** The last run of each server, on the disk, so that a restart of the app finds what it started; and what the servers print. */
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
    /** For appending: only then a server goes on at the new end after its log was shortened. */
    openLog: (id: number): number => openSync(file(id, "log"), "a", 0o600),
    /** Leaves the end of a log that has grown too long. */
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

/** Command lines may hold passwords, so they are not written down a second time. */
function fingerprint(ref: string): string {
  return createHash("sha256").update(ref).digest("base64url");
}
