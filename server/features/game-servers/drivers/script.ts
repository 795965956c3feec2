import { type Driver, EngineRefusedError, EngineUnreachableError, type Observation } from "./driver.ts";
import { poll } from "./poll.ts";
import { isExecutable } from "./programs.ts";
import { runProgram } from "./run-program.ts";

const statusMs = 1_900;
const startMs = 9_500;
const unknownGraceSeconds = 300;
const marginSeconds = 15;
/** A look may be a call to another machine. */
const pollEveryMs = 5_000;

/** A script that understands start, stop and status: LinuxGSM, ssh to another machine, wake-on-LAN. */
export function createScriptDriver(): Driver {
  const driver: Driver = {
    async inspect({ ref }) {
      if (!isExecutable(ref)) return { kind: "missing" };
      const outcome = await runProgram(ref, ["status"], { withinMs: statusMs });
      // As init scripts say it; anything else means that it does not know.
      if (outcome?.code === 0) return toObservation(true);
      return outcome?.code === 3 ? toObservation(false) : { kind: "unreachable" };
    },
    async start({ ref }) {
      refuseMissing(ref);
      // One that takes longer has taken the order, too; its status tells what comes of it.
      const outcome = await runProgram(ref, ["start"], { withinMs: startMs, mayGoOn: true });
      if (outcome && outcome.code !== 0) throw new EngineRefusedError(`The script refused to start: ${outcome.code}`);
    },
    async stop({ ref, graceSeconds }) {
      refuseMissing(ref);
      const withinMs = ((graceSeconds ?? unknownGraceSeconds) + marginSeconds) * 1000;
      const outcome = await runProgram(ref, ["stop"], { withinMs });
      if (!outcome) throw new EngineUnreachableError("The script did not stop the server in time.");
      if (outcome.code !== 0) throw new EngineRefusedError(`The script refused to stop: ${outcome.code}`);
    },
    watch: (targets, changed, signal) => void poll(driver.inspect, { targets, changed, signal }, pollEveryMs),
  };
  return driver;
}

function refuseMissing(file: string): void {
  if (!isExecutable(file)) throw new EngineRefusedError("There is no such script.");
}

function toObservation(isAlive: boolean): Observation {
  return {
    kind: "found",
    isAlive,
    word: isAlive ? "running" : "exited",
    exitCode: null,
    isOutOfMemory: false,
    isReady: null,
    startedAt: null,
  };
}
