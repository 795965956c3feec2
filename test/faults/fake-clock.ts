import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { faketime, ensureInstalled } from "../../scripts/system-programs.ts";

/** A fake system clock for the server, which continues to tick after it has been set. */
export interface FakeClock {
  /** Environment variables that make the server use this clock. */
  readonly env: Record<string, string>;
  set(to: Date | string): void;
  /** Stops the clock at a time; requires that the server runs with TZ=UTC. */
  stopAt(to: string): void;
}

/** Creates a clock with libfaketime, which fakes only the wall clock; timers take real time. */
export async function createFakeClock(at: Date | string): Promise<FakeClock> {
  const library = await ensureInstalled(faketime);
  if (!library) throw new Error("libfaketime is missing");
  const file = join(mkdtempSync(join(tmpdir(), "clock-")), "offset");
  const set = (to: Date | string) => {
    const seconds = (new Date(to).getTime() - Date.now()) / 1000;
    writeFileSync(file, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds).toFixed(3)}`);
  };
  set(at);
  return {
    set,
    stopAt: (to) => writeFileSync(file, new Date(to).toISOString().slice(0, 19).replace("T", " ")),
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
  };
}
