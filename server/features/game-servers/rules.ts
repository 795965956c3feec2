import { refusals } from "#contract/errors.ts";
import type { Players, ServerState } from "#contract/game-servers.ts";
import { hasExpired } from "#server/time.ts";
import type { FoundObservation, Observation, RefusalReason } from "./drivers/driver.ts";

/** What a game server is doing. `unknown`: not inspected yet. */
export type Phase =
  | "unknown"
  | "stopped"
  | "starting"
  | "running"
  | "stopping"
  | "restarting"
  | "paused"
  | "crashed"
  | "missing"
  | "unreachable";

export type SwitchAction = "start" | "stop";

export interface ServerStatus {
  readonly phase: Phase;
  /** As the driver calls it. */
  readonly driverStatus: string;
  /** Whether a process exists. */
  readonly isAlive: boolean;
  /** When the present run began, or the last one; epoch ms. */
  readonly runSince: number | null;
}

/** The last request of a member, or of the app itself. */
export interface SwitchRequest {
  /** Null: nothing was requested yet, or the start failed. */
  readonly requested: SwitchAction | null;
  /** The member's id; null: the app itself. */
  readonly requestedBy: number | null;
  /** Epoch ms. */
  readonly requestedAt: number | null;
}

export interface Idleness {
  /** Since when nobody has been playing; epoch ms, null: somebody plays, or it is unknown. */
  readonly emptySince: number | null;
  /** When the server stops because of that; epoch ms. */
  readonly autoStopAt: number | null;
}

/** Why a start failed. */
export interface StartFailure {
  /**
   * `ended`: the program ended before the server ran; `silent`: the start was accepted, but the server never ran; `unreachable`: the
   * driver did not answer.
   */
  readonly reason: RefusalReason | "ended" | "silent" | "unreachable";
  /** The last line of the driver or the program, for administrators only; null: unknown. */
  readonly detail: string | null;
  /** Epoch ms. */
  readonly at: number;
}

/** What is stored of a server beside its settings. */
export interface SavedState extends ServerStatus, SwitchRequest, Idleness {
  readonly players: Players;
  /** Null: the last start did not fail. */
  readonly startFailure: StartFailure | null;
}

/** What members are told about a failed start, without anything that a program said. */
const failureTexts: Record<StartFailure["reason"], (name: string) => string> = {
  missing: (name) => `Das Programm von ${name} fehlt.`,
  portTaken: (name) => `Den Netzwerk-Anschluss von ${name} belegt schon ein anderes Programm.`,
  refused: (name) => `${name} meldet beim Start einen Fehler.`,
  ended: (name) => `${name} ist beim Start wieder ausgegangen.`,
  silent: (name) => `${name} ist nicht angegangen.`,
  unreachable: () => "Die Game-Server-Steuerung hat nicht geantwortet.",
};

/** What members are told, each sentence once. */
export const messages = {
  starting: (name: string) => `${name} wird gestartet.`,
  startFailed: (name: string, reason: StartFailure["reason"]) => `Start fehlgeschlagen: ${failureTexts[reason](name)}`,
  alreadyRunning: (name: string) => `${name} läuft bereits.`,
  stopping: (name: string) => `${name} wird heruntergefahren.`,
  stoppingEmpty: (name: string) => `${name} wird heruntergefahren, weil niemand spielt.`,
  stopFailed: (name: string) => `${name} ließ sich nicht herunterfahren.`,
  alreadyOff: (name: string) => `${name} ist bereits aus.`,
  keptRunning: (name: string) => `${name} läuft weiter.`,
  running: (name: string) => `${name} läuft jetzt.`,
  restarted: (name: string) => `${name} wurde neu gestartet.`,
  off: (name: string) => `${name} ist jetzt aus.`,
  crashed: (name: string) => `${name} ist abgestürzt.`,
  paused: (name: string) => `${name} ist pausiert.`,
  missing: (name: string) => `${name} ist nicht eingerichtet.`,
  unreachable: refusals.M503engine.text,
  reachableAgain: "Die Game-Server-Steuerung ist wieder erreichbar.",
  startingBy: (member: string) => `${member} startet den Server gerade.`,
  stoppingBy: (member: string) => `${member} fährt den Server gerade herunter.`,
};

export interface StatusInput extends Pick<SwitchRequest, "requested" | "requestedAt"> {
  /** The change that is under way. */
  readonly changing: SwitchAction | null;
  /** Whether the game itself has answered in this run; null: it cannot be queried. */
  readonly hasAnswered: boolean | null;
  /** When the run began that the driver reported last, by the clock of its engine; null: nothing was reported yet, or it is unknown. */
  readonly lastStartedAt: number | null;
  readonly now: number;
}

/** A requested start counts as done after this long, where neither the driver nor the game can tell. */
const assumedStartMs = 5000;
/** A server that never says it is ready counts as running after this long. */
const maxStartMs = 300_000;
/** A script may only have woken the machine: for this long it does not count as off. */
const maxWakingMs = 120_000;

/** What a server is doing, from the status before, what its driver reports and what was requested. */
export function deriveStatus(before: ServerStatus, observation: Observation, input: StatusInput): ServerStatus {
  if (observation.kind !== "found") {
    return { phase: observation.kind, driverStatus: "", isAlive: false, runSince: before.runSince };
  }
  const { status: driverStatus, isAlive } = observation;
  if (!isAlive) {
    return { phase: phaseOfDead(before, observation, input), driverStatus, isAlive, runSince: before.runSince };
  }
  const runSince = startOfRun(before, observation.startedAt, input);
  return { phase: phaseOfLiving(before, observation, input, runSince), driverStatus, isAlive, runSince };
}

/** Reports of one start differ: that of systemd is calculated from two clocks. */
const sameStartMs = 2000;
/** So far an engine's clock may be fast without a restart of the app looking like one of the game. */
const fastClockMs = 60_000;

/** As the driver reports it; when it was first seen running where that is unknown, or still to come by an engine's fast clock. */
function startOfRun(before: ServerStatus, startedAt: number | null, { lastStartedAt, now }: StatusInput): number {
  const known = before.isAlive ? before.runSince : null;
  if (known === null) return Math.min(startedAt ?? now, now);
  if (startedAt === null) return known;
  // By a fast clock the time is another one than is known, but the same as in the last report.
  const tolerance = lastStartedAt === null ? fastClockMs : sameStartMs;
  const isSameRun = startedAt === lastStartedAt || Math.abs(startedAt - known) < tolerance;
  if (isSameRun || (startedAt > now && lastStartedAt === null)) return known;
  return Math.min(startedAt, now);
}

function phaseOfLiving(before: ServerStatus, found: FoundObservation, input: StatusInput, runSince: number): Phase {
  const { changing, requested, requestedAt, hasAnswered, now } = input;
  if (changing === "stop" || found.status === "stopping") return "stopping";
  if (found.status === "restarting" || found.status === "paused") return found.status;
  const isSameRun = before.phase === "running" && before.runSince === runSince;
  // Ready once is ready for this run: a game that is too busy to answer has not begun to start again.
  if (found.isReady === true || isSameRun || hasExpired(runSince + maxStartMs, now, maxStartMs)) return "running";
  if (found.isReady === false || found.status === "starting") return "starting";
  if (hasAnswered !== null) return hasAnswered ? "running" : "starting";
  // Of a start outside of the app no more is known than that it runs.
  const isOurs = requested === "start" && !hasExpired((requestedAt ?? 0) + assumedStartMs, now, assumedStartMs);
  return isOurs ? "starting" : "running";
}

/** Exit codes of the signals that people and engines send: hang-up, interrupt, quit, kill, terminate. */
const signalExitCodes = new Set([129, 130, 131, 137, 143]);

function phaseOfDead(before: ServerStatus, found: FoundObservation, input: StatusInput): Phase {
  const { changing, requested, requestedAt } = input;
  const { status, exitCode } = found;
  if (changing === "start" || isWaking(before, found, input)) return "starting";
  // Its machine was still on the way up when the stop was requested.
  if (changing === "stop" && isOnTheWay(before, found)) return "stopping";
  if (status === "restarting" || status === "stopping") return status;
  // A stop requested during this run explains every exit code; one of an earlier run explains none.
  if (requested === "stop" && (requestedAt ?? 0) >= (before.runSince ?? 0)) return "stopped";
  if (found.isOutOfMemory || status === "dead") return "crashed";
  const hasFailed = exitCode !== null && exitCode !== 0 && !signalExitCodes.has(exitCode);
  // Only of a run that the app knew of: how an older one ended is no news.
  const isKnownRun = before.isAlive || before.phase === "crashed" || before.phase === "starting";
  return hasFailed && (isKnownRun || requested === "start") ? "crashed" : "stopped";
}

/** Whether the start was accepted a moment ago, and it has not been seen running since. */
function isWaking(
  before: ServerStatus,
  found: FoundObservation,
  { requested, requestedAt, now }: StatusInput,
): boolean {
  return (
    isOnTheWay(before, found) &&
    requested === "start" &&
    !hasExpired((requestedAt ?? 0) + maxWakingMs, now, maxWakingMs)
  );
}

/** Whether it was starting, and all that is known since is that it does not run, as from a script. */
function isOnTheWay(before: ServerStatus, found: FoundObservation): boolean {
  const isUnknown = found.status === "exited" && found.exitCode === null && found.startedAt === null;
  return isUnknown && (before.phase === "starting" || (before.phase === "stopping" && !before.isAlive));
}

/** Why a server ended that was starting. */
export function describeEnd({
  exitCode,
  startedAt,
  lastLine,
}: FoundObservation): Pick<StartFailure, "reason" | "detail"> {
  if (exitCode !== null) return { reason: "ended", detail: lastLine ?? `Exit-Code ${exitCode}` };
  // A start time without an exit code: the run has ended, and its exit code is not known yet.
  return { reason: startedAt === null ? "silent" : "ended", detail: lastLine };
}

/** The state on the wire: Docker's words, and starting and stopping. Null: unreachable or not set up. */
export function toServerState({ phase, driverStatus, isAlive }: ServerStatus): ServerState {
  switch (phase) {
    case "unknown":
    case "missing":
    case "unreachable":
      return null;
    case "stopped":
      return { Status: driverStatus === "created" ? "created" : "exited", Running: false };
    case "crashed":
      return { Status: "dead", Running: false };
    case "starting":
      return { Status: "starting", Running: isAlive };
    default:
      return { Status: phase, Running: true };
  }
}

/** Whether the last request is why the server does what it does; otherwise something has happened since. */
export function isRequestedPhase(requested: SwitchAction | null, phase: Phase): boolean {
  if (phase === "crashed") return false;
  const isDown = phase === "stopped" || phase === "stopping";
  return requested === (isDown ? "stop" : "start");
}

/** Returns whether the game itself can be asked who plays. */
export function isQueryable({ query, address }: { readonly query: string; readonly address: string | null }): boolean {
  return query !== "none" && address !== null;
}

/** Games that answer Source queries are started by Steam: https://developer.valvesoftware.com/wiki/Steam_browser_protocol */
export function joinUrl(address: string | null, query: string): string | null {
  return address !== null && query === "source" ? `steam://connect/${address}` : null;
}

/**
 * The arguments of a command line, split as a shell does, but without variables, operators or patterns: quotes group, a backslash
 * takes the next character as it is. Null where a quote does not end.
 */
export function splitCommandLine(line: string): string[] | null {
  const args: string[] = [];
  let arg: string | null = null;
  let quote: string | null = null;
  for (let index = 0; index < line.length; index += 1) {
    const char = line[index]!;
    if (char === "\\" && quote !== "'") {
      index += 1;
      arg = (arg ?? "") + (line[index] ?? "");
    } else if (quote !== null) {
      if (char === quote) quote = null;
      else arg += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      arg ??= "";
    } else if (/\s/.test(char)) {
      if (arg !== null) args.push(arg);
      arg = null;
    } else arg = (arg ?? "") + char;
  }
  if (quote !== null) return null;
  return arg === null ? args : [...args, arg];
}

/** Formats id, name and program as one terminal line. Control characters from a backup become spaces. */
export function formatProgramLine(server: {
  readonly id: number;
  readonly display_name: string;
  readonly driver: string;
  readonly ref: string;
}): string {
  const { id, display_name, driver, ref } = server;
  return [String(id), display_name, `${driver} ${ref}`].map((text) => text.replaceAll(/\p{C}+/gu, " ")).join("\t");
}
