import { type Driver, EngineRefusedError, EngineUnreachableError, found, stopTimeoutMs } from "./driver.ts";
import { watchByPolling } from "./poll.ts";
import { isExecutable } from "./programs.ts";
import { runProgram } from "./run-program.ts";

const statusMs = 1_900;
const startMs = 9_500;
/** An inspection may be a call to another machine. */
const pollEveryMs = 5_000;

/** A script that understands start, stop and status: LinuxGSM, ssh to another machine, wake-on-LAN. */
export function createScriptDriver(): Driver {
  const inspect: Driver["inspect"] = async ({ ref }) => {
    if (!isExecutable(ref)) return { kind: "missing" };
    const result = await runProgram(ref, ["status"], { timeoutMs: statusMs });
    // Exit codes of init scripts: 0 running, 3 stopped; with any other the script does not know.
    if (result?.code === 0) return found({ isAlive: true, status: "running" });
    return result?.code === 3 ? found({ isAlive: false, status: "exited" }) : { kind: "unreachable" };
  };
  return {
    inspect,
    async start({ ref }) {
      checkExecutable(ref);
      // One that takes longer has accepted the start, too; its status tells how it goes on.
      const result = await runProgram(ref, ["start"], { timeoutMs: startMs, mayGoOn: true });
      if (result && result.code !== 0) throw new EngineRefusedError(`The script refused to start: ${result.code}`);
    },
    async stop({ ref, graceSeconds }) {
      checkExecutable(ref);
      const result = await runProgram(ref, ["stop"], { timeoutMs: stopTimeoutMs(graceSeconds) });
      if (!result) throw new EngineUnreachableError("The script did not stop the server in time.");
      if (result.code !== 0) throw new EngineRefusedError(`The script refused to stop: ${result.code}`);
    },
    watch: watchByPolling(inspect, pollEveryMs),
  };
}

function checkExecutable(file: string): void {
  if (!isExecutable(file)) throw new EngineRefusedError("There is no such script.");
}
