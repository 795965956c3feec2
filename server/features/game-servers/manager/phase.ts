import type { Phase } from "#contract/game-servers.ts";
import { minutes, seconds } from "#server/time.ts";
import type { FoundObservation, Observation } from "../drivers/driver.ts";
import type { Status, SwitchAction, SwitchRequest } from "../rules.ts";

export interface PhaseInput extends Pick<SwitchRequest, "requested" | "requestedAt"> {
  readonly switching: SwitchAction | null;
  /** `true` if the game has answered a query since its last start; `null` if it cannot be queried. */
  readonly hasAnswered: boolean | null;
  readonly now: number;
}

/** A start counts as done after this time if nothing can report that the server is ready. */
const assumedStartMs = seconds(5);
/** A server counts as running after this time even if it never reports that it is ready. */
const maxStartMs = minutes(5);
/** A server without a process counts as starting for this time: its script may have woken another machine. */
const maxWakingMs = minutes(2);
/** Tolerance for start times of one run, because systemd's start time is calculated from two clocks. */
const sameStartMs = seconds(2);

export function deriveStatus(before: Status, observation: Observation, input: PhaseInput): Status {
  const { runSince } = before;
  if (observation.kind !== "found") return { phase: observation.kind, driverStatus: "", isAlive: false, runSince };
  const { status: driverStatus, isAlive, startedAt } = observation;
  if (!isAlive) return { phase: phaseOfDead(before, observation, input), driverStatus, isAlive, runSince };
  const known = before.isAlive ? runSince : null;
  const isSameRun = known !== null && (startedAt === null || Math.abs(startedAt - known) < sameStartMs);
  const since = isSameRun ? known : (startedAt ?? input.now);
  return { phase: phaseOfLiving(before, observation, input, since), driverStatus, isAlive, runSince: since };
}

function phaseOfLiving(before: Status, found: FoundObservation, input: PhaseInput, runSince: number): Phase {
  const { switching, requested, requestedAt, hasAnswered, now } = input;
  if (switching === "stop" || found.status === "stopping") return "stopping";
  if (found.status === "restarting" || found.status === "paused") return found.status;
  // A game that is too busy to answer has not restarted.
  const isSameRun = before.phase === "running" && before.runSince === runSince;
  if (found.isReady === true || isSameRun || now >= runSince + maxStartMs) return "running";
  if (found.isReady === false || found.status === "starting") return "starting";
  if (hasAnswered !== null) return hasAnswered ? "running" : "starting";
  // After a start outside the app only the process is known.
  const isOurs = requested === "start" && now < (requestedAt ?? 0) + assumedStartMs;
  return isOurs ? "starting" : "running";
}

/** Hang-up, interrupt, quit, kill, terminate. */
const signalExitCodes = new Set([129, 130, 131, 137, 143]);

function phaseOfDead(before: Status, found: FoundObservation, input: PhaseInput): Phase {
  const { switching, requested, requestedAt, now } = input;
  const { status, exitCode } = found;
  // A script that waits for another machine reports neither an exit code nor a start time.
  const hasNoTrace = status === "exited" && exitCode === null && found.startedAt === null;
  const isBooting = hasNoTrace && (before.phase === "starting" || (before.phase === "stopping" && !before.isAlive));
  const isWaking = isBooting && requested === "start" && now < (requestedAt ?? 0) + maxWakingMs;
  if (switching === "start" || isWaking) return "starting";
  if (switching === "stop" && isBooting) return "stopping";
  if (status === "restarting" || status === "stopping") return status;
  // A stop requested during this run explains every exit code; one from before does not matter.
  if (requested === "stop" && (requestedAt ?? 0) >= (before.runSince ?? 0)) return "stopped";
  if (found.isOutOfMemory || status === "dead") return "crashed";
  const hasFailed = exitCode !== null && exitCode !== 0 && !signalExitCodes.has(exitCode);
  // A failure from before the app knew of the run is no news.
  const isKnownRun = before.isAlive || before.phase === "crashed" || before.phase === "starting";
  return hasFailed && (isKnownRun || requested === "start") ? "crashed" : "stopped";
}
