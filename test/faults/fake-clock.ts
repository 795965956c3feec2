import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { faketime, ensureInstalled } from "../../scripts/system-programs.ts";

/** A clock that the server believes in, and that goes on ticking from wherever it was set. */
export interface FakeClock {
  /** For the server's environment. */
  readonly env: Record<string, string>;
  set(to: Date | string): void;
  /** Lets it stand still there; the server has to run with TZ=UTC. */
  stopAt(to: string): void;
}

/** Opens a clock of libfaketime. Only the calendar is faked; timers and waiting take their real time. */
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
