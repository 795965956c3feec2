import { closeSync } from "node:fs";

import type { Config } from "#server/config.ts";
import { createRunStore } from "./command-runs.ts";
import { type Driver, EngineRefusedError, EngineUnreachableError, found, stopTimeoutMs } from "./driver.ts";
import { watchByPolling } from "./poll.ts";
import { isExecutable, runProgram } from "./programs.ts";

const statusMs = 1_900;
const startMs = 9_500;
/** Long, because a script may call another machine. */
const pollEveryMs = 5_000;

/** Drives scripts that understand `start`, `stop` and `status`, e.g. for LinuxGSM, ssh or wake-on-LAN. */
export function createScriptDriver({ dataDir }: Pick<Config, "dataDir">): Driver {
  const runs = createRunStore(dataDir);

  const inspect: Driver["inspect"] = async ({ id, ref }) => {
    if (!isExecutable(ref)) return { kind: "missing" };
    const result = await runProgram(ref, ["status"], { timeoutMs: statusMs });
    // Exit codes of init scripts: 0 means running, 3 stopped, any other unknown.
    if (result?.code === 0) return found({ isAlive: true, status: "running" });
    if (result?.code !== 3) return { kind: "unreachable" };
    return found({ isAlive: false, status: "exited", lastLine: runs.readLastLine(id) });
  };

  /** Returns `null` on a full disk, which must not prevent the start. */
  function openLog(id: number): number | null {
    try {
      return runs.openLog(id);
    } catch {
      return null;
    }
  }

  return {
    inspect,
    async start({ id, ref }) {
      checkExecutable(ref);
      const log = openLog(id);
      // A script that takes longer is accepted; later inspections show the result.
      const result = await runProgram(ref, ["start"], { timeoutMs: startMs, mayGoOn: true, log }).finally(() => {
        if (log !== null) closeSync(log);
      });
      if (!result || result.code === 0) return;
      const detail = runs.readLastLine(id) ?? (result.code === null ? null : `Exit-Code ${result.code}`);
      throw new EngineRefusedError(`The script refused to start: ${result.code}`, "refused", detail);
    },
    async stop({ ref, graceSeconds }) {
      checkExecutable(ref);
      const result = await runProgram(ref, ["stop"], { timeoutMs: stopTimeoutMs(graceSeconds) });
      if (!result) throw new EngineUnreachableError("The script did not stop the server in time.");
      if (result.code !== 0) throw new EngineRefusedError(`The script refused to stop: ${result.code}`);
    },
    watch: watchByPolling(async (target) => {
      runs.shortenLog(target.id);
      return inspect(target);
    }, pollEveryMs),
  };
}

function checkExecutable(file: string): void {
  if (!isExecutable(file)) throw new EngineRefusedError("There is no such script.", "missing");
}
