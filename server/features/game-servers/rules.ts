import { refusals } from "#contract/errors.ts";
import type { Phase, Players, ServerState } from "#contract/game-servers.ts";
import type { RefusalReason } from "./drivers/driver.ts";

export type SwitchAction = "start" | "stop";

export interface Status {
  readonly phase: Phase;
  readonly driverStatus: string;
  readonly isAlive: boolean;
  /** Start of the current or last run; `null` if unknown. */
  readonly runSince: number | null;
}

export interface SwitchRequest {
  /** `null` if nothing was requested, or after a failed start. */
  readonly requested: SwitchAction | null;
  readonly requestedBy: number | null;
  readonly requestedAt: number | null;
}

export interface SavedSwitch {
  readonly action: SwitchAction;
  /** Epoch ms by which the driver has completed or refused it. */
  readonly until: number;
}

export interface StartFailure {
  /**
   * `ended`: the program ended before the server counted as running; `silent`: the start was accepted, but nothing else
   * is known; `unreachable`: the driver did not answer.
   */
  readonly reason: RefusalReason | "ended" | "silent" | "unreachable";
  /** Last printed line, for administrators only; `null` if unknown. */
  readonly detail: string | null;
  /** Epoch ms of the failed start. */
  readonly at: number;
}

export interface SavedState extends Status, SwitchRequest {
  readonly switching: SavedSwitch | null;
  readonly players: Players;
  /** `null` if the server has players, or if the players are unknown. */
  readonly emptySince: number | null;
  /** `null` if no stop is planned. */
  readonly autoStopAt: number | null;
  /** `null` if the last start did not fail. */
  readonly startFailure: StartFailure | null;
}

/** Never contain output of programs. */
const failureTexts: Record<StartFailure["reason"], (name: string) => string> = {
  missing: (name) => `Das Programm von ${name} fehlt.`,
  portTaken: (name) => `Den Netzwerk-Anschluss von ${name} belegt schon ein anderes Programm.`,
  refused: (name) => `${name} meldet beim Start einen Fehler.`,
  ended: (name) => `${name} ist beim Start wieder ausgegangen.`,
  silent: (name) => `${name} ist nicht angegangen.`,
  unreachable: () => "Die Game-Server-Steuerung hat nicht geantwortet.",
};

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

/** Returns `true` if the last request explains the phase. */
export function isRequestedPhase(requested: SwitchAction | null, phase: Phase): boolean {
  if (phase === "crashed") return false;
  const isDown = phase === "stopped" || phase === "stopping";
  return requested === (isDown ? "stop" : "start");
}

export function isQueryable({ query, address }: { readonly query: string; readonly address: string | null }): boolean {
  return query !== "none" && address !== null;
}

/** Steam starts games that answer Source queries: https://developer.valvesoftware.com/wiki/Steam_browser_protocol */
export function joinUrl(address: string | null, query: string): string | null {
  return address !== null && query === "source" ? `steam://connect/${address}` : null;
}

/** Splits like a shell, but without variables, operators or patterns. Returns `null` for an unclosed quote. */
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

/** Formats one terminal line. Control characters from a backup become spaces. */
export function formatProgramLine(server: {
  readonly id: number;
  readonly display_name: string;
  readonly driver: string;
  readonly ref: string;
}): string {
  const { id, display_name, driver, ref } = server;
  return [String(id), display_name, `${driver} ${ref}`].map((text) => text.replaceAll(/\p{C}+/gu, " ")).join("\t");
}

export type Inspection = { kind: "unreachable" | "missing" | "inactive" } | { kind: "found"; state: ServerState };

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
