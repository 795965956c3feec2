import { type Driver, EngineRefusedError, EngineUnreachableError, type Observation } from "./driver.ts";
import { poll } from "./poll.ts";
import { type ProgramResult, runProgram } from "./run-program.ts";

const showMs = 1_900;
const startMs = 9_000;
const unknownGraceSeconds = 300;
const marginSeconds = 15;
/** Listening to the bus is for root, and the app had better not be that. */
const pollEveryMs = 1_000;

const unitName = /^[A-Za-z0-9][A-Za-z0-9:_.@\\-]{0,200}\.service$/;
const properties = [
  "LoadState",
  "ActiveState",
  "SubState",
  "Type",
  "Result",
  "ExecMainCode",
  "ExecMainStatus",
  "ExecMainStartTimestampMonotonic",
];
/** What systemctl says where there is no systemd to talk to. */
const noSystemd = /failed to connect|not been booted|connection timed out|transport endpoint/i;

/** Services of systemd. How long a stop may take is the unit's own affair (TimeoutStopSec). */
export function createUnitDriver(systemctl = "systemctl"): Driver {
  const run = (words: readonly string[], withinMs: number) => runProgram(systemctl, words, { withinMs, isRead: true });

  const driver: Driver = {
    async inspect({ ref }) {
      const unit = parseUnitName(ref);
      if (unit === null) return { kind: "missing" };
      const outcome = await run(["show", `--property=${properties.join(",")}`, "--", unit], showMs);
      if (outcome?.code !== 0) return { kind: "unreachable" };
      const found = Object.fromEntries(outcome.output.split("\n").map((line) => line.split("=", 2)));
      if (found["LoadState"] === undefined) return { kind: "unreachable" };
      return found["LoadState"] === "loaded" ? toObservation(found) : { kind: "missing" };
    },
    async start({ ref }) {
      // Without waiting until the game is ready; that is seen by looking.
      checkResult(
        "start",
        await run(["start", "--no-block", "--no-ask-password", "--", requireUnitName(ref)], startMs),
      );
    },
    async stop({ ref, graceSeconds }) {
      const withinMs = ((graceSeconds ?? unknownGraceSeconds) + marginSeconds) * 1000;
      checkResult("stop", await run(["stop", "--no-ask-password", "--", requireUnitName(ref)], withinMs));
    },
    watch: (targets, changed, signal) => void poll(driver.inspect, { targets, changed, signal }, pollEveryMs),
  };
  return driver;
}

/** As systemctl takes it, `.service` may be left out; null for what is no name of a service. */
function parseUnitName(ref: string): string | null {
  const name = /\.[a-z]+$/.test(ref) ? ref : `${ref}.service`;
  return unitName.test(name) ? name : null;
}

function requireUnitName(ref: string): string {
  const name = parseUnitName(ref);
  if (name === null) throw new EngineRefusedError("That is no name of a service.");
  return name;
}

function checkResult(action: string, outcome: ProgramResult | null): void {
  if (!outcome) throw new EngineUnreachableError(`systemd did not ${action} the unit in time.`);
  if (outcome.code === 0) return;
  if (outcome.code === null || noSystemd.test(outcome.output)) throw new EngineUnreachableError("There is no systemd.");
  throw new EngineRefusedError(`systemd refused to ${action}: ${outcome.code}`);
}

function toObservation(found: Record<string, string | undefined>): Observation {
  const { ActiveState: active, ExecMainStartTimestampMonotonic: started, Result: result } = found;
  const startedMs = Number(started ?? 0) / 1000;
  const isAlive = active !== "inactive" && active !== "failed";
  const word = statusOf(found);
  return {
    kind: "found",
    isAlive,
    word: word === "exited" && !startedMs ? "created" : word,
    exitCode: !isAlive && startedMs ? exitCode(found) : null,
    isOutOfMemory: !isAlive && result === "oom-kill",
    isReady: isAlive ? parseReadiness(found) : null,
    startedAt: startedMs ? Math.round(Date.now() - (Number(process.hrtime.bigint()) / 1e6 - startedMs)) : null,
  };
}

function statusOf({ ActiveState: active, SubState: sub }: Record<string, string | undefined>): string {
  if (active === "inactive" || active === "failed") return "exited";
  if (active === "deactivating") return "stopping";
  if (active !== "activating") return "running";
  return sub === "auto-restart" ? "restarting" : "starting";
}

/** Only some kinds of service tell systemd when they are ready; of the others "active" says that a process was started. */
function parseReadiness({ ActiveState: active, Type: type }: Record<string, string | undefined>): boolean | null {
  if (active === "activating") return false;
  return active === "active" && /^(notify|notify-reload|forking|dbus)$/.test(type ?? "") ? true : null;
}

/** A signal is told as a shell tells it. 2: killed, 3: killed with a core dump. */
function exitCode({ ExecMainCode: how, ExecMainStatus: status }: Record<string, string | undefined>): number {
  return Number(status ?? 0) + (how === "2" || how === "3" ? 128 : 0);
}
