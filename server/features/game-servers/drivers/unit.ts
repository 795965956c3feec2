import {
  type Driver,
  EngineRefusedError,
  EngineUnreachableError,
  findLastLine,
  found,
  type Observation,
  stopTimeoutMs,
} from "./driver.ts";
import { watchByPolling } from "./poll.ts";
import { type ProgramResult, runProgram } from "./programs.ts";

const showMs = 1_900;
const startMs = 9_000;
/** Polls, since only root may listen to systemd's bus. */
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
/** Messages of `systemctl` on a machine without systemd. */
const noSystemd = /failed to connect|not been booted|connection timed out|transport endpoint/i;

/** The unit's `TimeoutStopSec` decides how long a stop may take. */
export function createUnitDriver(systemctl = "systemctl"): Driver {
  const run = (args: readonly string[], timeoutMs: number) => runProgram(systemctl, args, { timeoutMs, isRead: true });

  const inspect: Driver["inspect"] = async ({ ref }) => {
    const unit = parseUnitName(ref);
    if (unit === null) return { kind: "missing" };
    const result = await run(["show", `--property=${properties.join(",")}`, "--", unit], showMs);
    if (result?.code !== 0) return { kind: "unreachable" };
    const shown: Properties = Object.fromEntries(result.output.split("\n").map((line) => line.split("=", 2)));
    if (shown["LoadState"] === undefined) return { kind: "unreachable" };
    return shown["LoadState"] === "loaded" ? toObservation(shown) : { kind: "missing" };
  };
  return {
    inspect,
    async start({ ref }) {
      // Does not wait for the game; later inspections show when it is ready.
      const args = ["start", "--no-block", "--no-ask-password", "--", requireUnitName(ref)];
      checkResult("start", await run(args, startMs));
    },
    async stop({ ref, graceSeconds }) {
      const args = ["stop", "--no-ask-password", "--", requireUnitName(ref)];
      checkResult("stop", await run(args, stopTimeoutMs(graceSeconds)));
    },
    watch: watchByPolling(inspect, pollEveryMs),
  };
}

/** Adds `.service` if it is missing; returns `null` if the unit is not a service. */
function parseUnitName(ref: string): string | null {
  const name = /\.[a-z]+$/.test(ref) ? ref : `${ref}.service`;
  return unitName.test(name) ? name : null;
}

function requireUnitName(ref: string): string {
  const name = parseUnitName(ref);
  if (name === null) throw new EngineRefusedError("That is not the name of a service.", "missing");
  return name;
}

function checkResult(action: string, result: ProgramResult | null): void {
  if (!result) throw new EngineUnreachableError(`systemd did not ${action} the unit in time.`);
  if (result.code === 0) return;
  if (result.code === null || noSystemd.test(result.output)) throw new EngineUnreachableError("There is no systemd.");
  throw new EngineRefusedError(`systemd refused to ${action}: ${result.code}`, "refused", findLastLine(result.output));
}

type Properties = Record<string, string | undefined>;

function toObservation(shown: Properties): Observation {
  const { ActiveState: active, ExecMainStartTimestampMonotonic: started, Result: result } = shown;
  const startedMs = Number(started ?? 0) / 1000;
  const isAlive = active !== "inactive" && active !== "failed";
  const status = statusOf(shown);
  return found({
    isAlive,
    status: status === "exited" && !startedMs ? "created" : status,
    exitCode: !isAlive && startedMs ? exitCode(shown) : null,
    isOutOfMemory: !isAlive && result === "oom-kill",
    isReady: isAlive ? parseReadiness(shown) : null,
    startedAt: startedMs ? Math.round(Date.now() - (Number(process.hrtime.bigint()) / 1e6 - startedMs)) : null,
  });
}

function statusOf({ ActiveState: active, SubState: sub }: Properties): string {
  if (active === "inactive" || active === "failed") return "exited";
  if (active === "deactivating") return "stopping";
  if (active !== "activating") return "running";
  return sub === "auto-restart" ? "restarting" : "starting";
}

/**
 * Returns `null` for types that do not tell systemd when they are ready: "active" only means that a process was
 * started.
 */
function parseReadiness({ ActiveState: active, Type: type }: Properties): boolean | null {
  if (active === "activating") return false;
  return active === "active" && /^(notify|notify-reload|forking|dbus)$/.test(type ?? "") ? true : null;
}

/**
 * Returns 128 plus the signal's number for a killed process, like a shell. ExecMainCode 2 means killed by a signal, 3
 * with a core dump.
 */
function exitCode({ ExecMainCode: how, ExecMainStatus: status }: Properties): number {
  return Number(status ?? 0) + (how === "2" || how === "3" ? 128 : 0);
}
