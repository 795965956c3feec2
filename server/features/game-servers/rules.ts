import { refusals } from "#contract/errors.ts";
import type { Phase, Players, ServerState } from "#contract/game-servers.ts";
import type { FoundObservation, Observation, RefusalReason } from "./drivers/driver.ts";

export type SwitchAction = "start" | "stop";

export interface DerivedState {
  readonly phase: Phase;
  /** The driver's own word for the status. */
  readonly driverStatus: string;
  /** `true` if the server has a process. */
  readonly isAlive: boolean;
  /** Epoch ms when the current or last run began; `null` if unknown. */
  readonly runSince: number | null;
}

/** The last request of a member or of the app. */
export interface SwitchRequest {
  /** The requested action; `null` if none was requested, or after a failed start. */
  readonly requested: SwitchAction | null;
  /** Id of the member who made the request; `null` for the app. */
  readonly requestedBy: number | null;
  /** Epoch ms of the request; `null` without a request. */
  readonly requestedAt: number | null;
}

export interface Idleness {
  /**
   * Epoch ms since which the server is empty; `null` if it has players, or if the players are
   * unknown.
   */
  readonly emptySince: number | null;
  /** Epoch ms of the server's automatic stop; `null` if no stop is planned. */
  readonly autoStopAt: number | null;
}

/** The reason for a failed start. */
export interface StartFailure {
  /**
   * `ended`: the program is known to have ended before the server counted as running; `silent`: the
   * start was accepted, but the server never counted as running, and nothing else is known;
   * `unreachable`: the driver did not answer.
   */
  readonly reason: RefusalReason | "ended" | "silent" | "unreachable";
  /**
   * Last line that the driver or the program printed, for administrators only; `null` if unknown.
   */
  readonly detail: string | null;
  /** Epoch ms of the failed start. */
  readonly at: number;
}

/** The stored state of a server, without its settings. */
export interface SavedState extends DerivedState, SwitchRequest, Idleness {
  readonly players: Players;
  /** Reason why the last start failed; `null` if the last start did not fail. */
  readonly startFailure: StartFailure | null;
}

/** German sentences about failed starts, which never contain output of programs. */
const failureTexts: Record<StartFailure["reason"], (name: string) => string> = {
  missing: (name) => `Das Programm von ${name} fehlt.`,
  portTaken: (name) => `Den Netzwerk-Anschluss von ${name} belegt schon ein anderes Programm.`,
  refused: (name) => `${name} meldet beim Start einen Fehler.`,
  ended: (name) => `${name} ist beim Start wieder ausgegangen.`,
  silent: (name) => `${name} ist nicht angegangen.`,
  unreachable: () => "Die Game-Server-Steuerung hat nicht geantwortet.",
};

/** German messages for members. */
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
  unreachable: refusals.gameServerDriverUnavailable.text,
  machineGone: "Der Rechner mit diesem Game-Server ist gerade nicht erreichbar.",
  reachableAgain: "Die Game-Server-Steuerung ist wieder erreichbar.",
  startingBy: (member: string) => `${member} startet den Server gerade.`,
  stoppingBy: (member: string) => `${member} fährt den Server gerade herunter.`,
};

export interface DeriveInput extends Pick<SwitchRequest, "requested" | "requestedAt"> {
  /** The start or stop in progress; `null` if none. */
  readonly switching: SwitchAction | null;
  /**
   * `true` if the game has answered a query since its last start; `null` if it cannot be queried.
   */
  readonly hasAnswered: boolean | null;
  /**
   * The server's start time in the driver's last report, measured by the engine's clock; `null` if
   * unknown.
   */
  readonly lastStartedAt: number | null;
  readonly now: number;
}

/**
 * Milliseconds after which a start counts as done if neither the driver nor the game reports that
 * the server is ready.
 */
const assumedStartMs = 5000;
/** Milliseconds after which a server counts as running even if it never reports that it is ready. */
const maxStartMs = 300_000;
/**
 * Milliseconds after a start during which a server without a process counts as starting, because
 * its script may have woken another machine that is still booting.
 */
const maxWakingMs = 120_000;

/** Derives the state from the previous state, the driver's report and the last request. */
export function deriveState(before: DerivedState, observation: Observation, input: DeriveInput): DerivedState {
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

/**
 * Milliseconds by which reported start times of one run may differ, because systemd's start time is
 * calculated from two clocks.
 */
const sameStartMs = 2000;
/**
 * Milliseconds by which an engine's clock may be ahead. This tolerance prevents an app restart from
 * looking like a restart of the game.
 */
const fastClockMs = 60_000;

/**
 * Returns the reported start time of the run. If that time is unknown or in the future, returns the
 * time when the run was first observed.
 */
function startOfRun(before: DerivedState, startedAt: number | null, { lastStartedAt, now }: DeriveInput): number {
  const known = before.isAlive ? before.runSince : null;
  if (known === null) return Math.min(startedAt ?? now, now);
  if (startedAt === null) return known;
  // The stored start time is never later than the app's clock. An engine whose clock is fast
  // therefore reports another start time, but the same one in every report.
  const tolerance = lastStartedAt === null ? fastClockMs : sameStartMs;
  const isSameRun = startedAt === lastStartedAt || Math.abs(startedAt - known) < tolerance;
  if (isSameRun || (startedAt > now && lastStartedAt === null)) return known;
  return Math.min(startedAt, now);
}

function phaseOfLiving(before: DerivedState, found: FoundObservation, input: DeriveInput, runSince: number): Phase {
  const { switching, requested, requestedAt, hasAnswered, now } = input;
  if (switching === "stop" || found.status === "stopping") return "stopping";
  if (found.status === "restarting" || found.status === "paused") return found.status;
  const isSameRun = before.phase === "running" && before.runSince === runSince;
  // A ready server remains ready during a run, because a game that is too busy to answer has not
  // restarted.
  if (found.isReady === true || isSameRun || runSince <= now - maxStartMs) return "running";
  if (found.isReady === false || found.status === "starting") return "starting";
  if (hasAnswered !== null) return hasAnswered ? "running" : "starting";
  // After a start outside the app, only the process is known, so the server counts as running at
  // once.
  const isOurs = requested === "start" && (requestedAt ?? 0) > now - assumedStartMs;
  return isOurs ? "starting" : "running";
}

/** Exit codes of processes ended by common signals: hang-up, interrupt, quit, kill, terminate. */
const signalExitCodes = new Set([129, 130, 131, 137, 143]);

function phaseOfDead(before: DerivedState, found: FoundObservation, input: DeriveInput): Phase {
  const { switching, requested, requestedAt } = input;
  const { status, exitCode } = found;
  if (switching === "start" || isWaking(before, found, input)) return "starting";
  // While the server's machine is still booting, a missing process does not mean that the stop has
  // succeeded.
  if (switching === "stop" && isBooting(before, found)) return "stopping";
  if (status === "restarting" || status === "stopping") return status;
  // If a stop was requested during this run, every exit code is a normal end. A request from before
  // this run does not matter.
  if (requested === "stop" && (requestedAt ?? 0) >= (before.runSince ?? 0)) return "stopped";
  if (found.isOutOfMemory || status === "dead") return "crashed";
  const hasFailed = exitCode !== null && exitCode !== 0 && !signalExitCodes.has(exitCode);
  // Reports a crash only if the app knew of the run, so that a failure from an earlier time is not
  // announced.
  const isKnownRun = before.isAlive || before.phase === "crashed" || before.phase === "starting";
  return hasFailed && (isKnownRun || requested === "start") ? "crashed" : "stopped";
}

/**
 * Returns `true` if a start was accepted recently and the server has not been seen running since.
 */
function isWaking(
  before: DerivedState,
  found: FoundObservation,
  { requested, requestedAt, now }: DeriveInput,
): boolean {
  return isBooting(before, found) && requested === "start" && (requestedAt ?? 0) > now - maxWakingMs;
}

/**
 * Returns `true` if the server was starting, or was stopped before it ran, and its driver reports
 * neither an exit code nor a start time. This is so while a script waits for another machine.
 */
function isBooting(before: DerivedState, found: FoundObservation): boolean {
  const isUnknown = found.status === "exited" && found.exitCode === null && found.startedAt === null;
  return isUnknown && (before.phase === "starting" || (before.phase === "stopping" && !before.isAlive));
}

/** Returns the reason why a starting server ended. */
export function describeEnd({
  exitCode,
  startedAt,
  lastLine,
}: FoundObservation): Pick<StartFailure, "reason" | "detail"> {
  if (exitCode !== null) return { reason: "ended", detail: lastLine ?? `Exit-Code ${exitCode}` };
  // A start time without an exit code means that the run has ended and its exit code is not known
  // yet.
  return { reason: startedAt === null ? "silent" : "ended", detail: lastLine };
}

/**
 * Returns `true` if the last request explains the phase; `false` if the phase has another cause.
 */
export function isRequestedPhase(requested: SwitchAction | null, phase: Phase): boolean {
  if (phase === "crashed") return false;
  const isDown = phase === "stopped" || phase === "stopping";
  return requested === (isDown ? "stop" : "start");
}

/** Returns `true` if the game can report its players. */
export function isQueryable({ query, address }: { readonly query: string; readonly address: string | null }): boolean {
  return query !== "none" && address !== null;
}

/**
 * Returns the link by which Steam joins the game, or `null`. Steam starts games that answer Source
 * queries: https://developer.valvesoftware.com/wiki/Steam_browser_protocol
 */
export function joinUrl(address: string | null, query: string): string | null {
  return address !== null && query === "source" ? `steam://connect/${address}` : null;
}

/**
 * Splits a command line into arguments like a shell, with quotes and backslashes but without
 * variables, operators or patterns. Returns `null` for an unclosed quote.
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

/**
 * Formats a game server's id, name and program as one terminal line. Control characters from a
 * backup become spaces.
 */
export function formatProgramLine(server: {
  readonly id: number;
  readonly display_name: string;
  readonly driver: string;
  readonly ref: string;
}): string {
  const { id, display_name, driver, ref } = server;
  return [String(id), display_name, `${driver} ${ref}`].map((text) => text.replaceAll(/\p{C}+/gu, " ")).join("\t");
}

/** The state of a game server as its driver reports it now. */
export type Inspection = { kind: "unreachable" | "missing" | "inactive" } | { kind: "found"; state: ServerState };

/** Returns the German sentence about the result of a connection test. */
export function formatConnectionTest(seen: Inspection): string {
  switch (seen.kind) {
    case "unreachable":
      return refusals.gameServerDriverUnavailable.text;
    case "inactive":
      return refusals.gameServerInactive.text;
    case "missing":
      return "Da ist nichts unter diesem Namen.";
    case "found":
      return seen.state?.Running === true
        ? "Verbindung steht, der Server läuft."
        : "Verbindung steht, der Server ist aus.";
  }
}
