import type { ServerState } from "#contract/game-servers.ts";
import type { Observation } from "./drivers/driver.ts";

/** What a game server is doing. `unknown`: nobody has looked yet. */
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

/** What is known of a server, as it is kept. */
export interface ServerStatus {
  readonly phase: Phase;
  /** The driver's own word. */
  readonly word: string;
  readonly isAlive: boolean;
  /** When the present run began, or the last one; epoch ms. */
  readonly runSince: number | null;
}

export interface StatusInput {
  readonly wanted: SwitchAction | null;
  readonly wantedAt: number | null;
  /** The change that is under way. */
  readonly changing: SwitchAction | null;
  /** Whether the game itself has answered in this run; null: it is not asked. */
  readonly hasAnswered: boolean | null;
  readonly now: number;
}

/** A start that we made counts as done after this long, where neither the driver nor the game can tell. */
export const startSettlesMs = 5000;
/** A server that never says it is ready counts as running after this long. */
const maxStartMs = 300_000;

/** What a server is doing, from what its driver saw, what was known and what was wanted. */
export function deriveStatus(known: ServerStatus, seen: Observation, circumstances: StatusInput): ServerStatus {
  if (seen.kind !== "found") return { ...known, phase: seen.kind, word: "", isAlive: false };
  const { word, isAlive } = seen;
  const runSince = isAlive ? startOfRun(known, seen.startedAt, circumstances.now) : known.runSince;
  const phase = isAlive
    ? phaseOfLiving(known, seen, circumstances, runSince ?? circumstances.now)
    : phaseOfDead(known, seen, circumstances);
  return { phase, word, isAlive, runSince };
}

type Found = Extract<Observation, { kind: "found" }>;

/** The engine's own time where it tells it, never in the future; else when we saw it first. */
function startOfRun(known: ServerStatus, startedAt: number | null, now: number): number {
  if (startedAt !== null) return Math.min(startedAt, now);
  return known.isAlive && known.runSince !== null ? known.runSince : now;
}

function phaseOfLiving(known: ServerStatus, seen: Found, around: StatusInput, runSince: number): Phase {
  if (around.changing === "stop" || seen.word === "stopping") return "stopping";
  if (seen.word === "restarting" || seen.word === "paused") return seen.word;
  const age = around.now - runSince;
  const isSameRun = known.phase === "running" && known.runSince === runSince;
  // Ready once is ready for this run: a game that is too busy to answer has not begun to start again.
  if (seen.isReady === true || isSameRun || age >= maxStartMs) return "running";
  if (seen.isReady === false || seen.word === "starting") return "starting";
  if (around.hasAnswered !== null) return around.hasAnswered ? "running" : "starting";
  // Somebody else started it: that it runs is all there is to know.
  const isOurs = around.wanted === "start" && around.now - (around.wantedAt ?? -Infinity) < startSettlesMs;
  return isOurs ? "starting" : "running";
}

/** Ended by a signal that people and engines send: hang-up, interrupt, quit, kill, terminate. */
const sentSignals = new Set([129, 130, 131, 137, 143]);

function phaseOfDead(known: ServerStatus, seen: Found, around: StatusInput): Phase {
  if (around.changing === "start") return "starting";
  if (seen.word === "restarting") return "restarting";
  if (seen.word === "stopping") return "stopping";
  // A stop that was wanted of this run explains every exit code; one of an earlier run explains none.
  const isWanted = around.wanted === "stop" && (around.wantedAt ?? 0) >= (known.runSince ?? 0);
  if (isWanted) return "stopped";
  if (seen.isOutOfMemory || seen.word === "dead") return "crashed";
  const hasFailed = seen.exitCode !== null && seen.exitCode !== 0 && !sentSignals.has(seen.exitCode);
  // How something ended that nobody here ever saw running is no news.
  const isOurs = known.isAlive || known.phase === "crashed" || known.phase === "starting" || around.wanted === "start";
  return hasFailed && isOurs ? "crashed" : "stopped";
}

/** Games that answer Source queries are started by Steam: https://developer.valvesoftware.com/wiki/Steam_browser_protocol */
export function joinUrl(address: string | null, query: string): string | null {
  return address !== null && query === "source" ? `steam://connect/${address}` : null;
}

/** What members are told of it: Docker's words, and ours where it has none. Null is the button's "Fehler". */
export function toServerState({ phase, word, isAlive }: ServerStatus): ServerState {
  switch (phase) {
    case "unknown":
    case "missing":
    case "unreachable":
      return null;
    case "stopped":
      return { Status: word === "created" ? "created" : "exited", Running: false };
    case "crashed":
      return { Status: "dead", Running: false };
    case "starting":
      return { Status: "starting", Running: isAlive };
    default:
      return { Status: phase, Running: true };
  }
}

/** Whether the last wish is why the server does what it does; otherwise something has happened by itself since. */
export function isRequestedPhase(wanted: SwitchAction | null, phase: Phase): boolean {
  if (phase === "crashed") return false;
  const isDown = phase === "stopped" || phase === "stopping";
  return wanted === (isDown ? "stop" : "start");
}

/** What is said when something changed that no member did; empty where there is only something new to look at. */
export function statusMessage(name: string, before: ServerStatus, after: ServerStatus): string {
  if (after.phase === "unreachable") return "Die Game-Server-Steuerung ist gerade nicht erreichbar.";
  if (before.phase === "unreachable") return "Die Game-Server-Steuerung ist wieder erreichbar.";
  if (before.phase === "unknown") return "";
  switch (after.phase) {
    case "running":
      return before.phase === "running" ? `${name} wurde neu gestartet.` : `${name} läuft jetzt.`;
    case "stopped":
      return before.phase === "crashed" ? "" : `${name} ist jetzt aus.`;
    case "crashed":
      return `${name} ist abgestürzt.`;
    case "paused":
      return `${name} ist pausiert.`;
    case "missing":
      return `${name} ist nicht eingerichtet.`;
    default:
      return "";
  }
}

/** Whether members would see a difference. */
export function isVisibleChange(before: ServerStatus, after: ServerStatus): boolean {
  const [one, other] = [toServerState(before), toServerState(after)];
  return (
    before.phase !== after.phase ||
    one?.Status !== other?.Status ||
    one?.Running !== other?.Running ||
    (after.isAlive && before.isAlive && before.runSince !== after.runSince)
  );
}

const minute = 60_000;

export interface Idleness {
  readonly emptySince: number | null;
  readonly autoStopAt: number | null;
}

/** How long nobody has been playing, and when the server stops for it. What is not known never stops anything. */
export function updateIdleness(
  before: Idleness,
  facts: {
    idleStopMinutes: number | null;
    phase: Phase;
    online: number | null;
    now: number;
  },
): Idleness {
  const { idleStopMinutes, phase, online, now } = facts;
  if (idleStopMinutes === null || phase !== "running" || online !== 0) return { emptySince: null, autoStopAt: null };
  const emptySince = before.emptySince ?? now;
  return { emptySince, autoStopAt: emptySince + idleStopMinutes * minute };
}

/**
 * The words of a command line, as a shell would read them but with nothing in it that a shell would act on: quotes group,
 * a backslash takes the next character as it is. Null where a quote does not end.
 */
export function splitCommandLine(line: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let index = 0; index < line.length; index += 1) {
    const sign = line[index]!;
    if (sign === "\\" && quote !== "'") {
      index += 1;
      word = (word ?? "") + (line[index] ?? "");
    } else if (quote !== null) {
      if (sign === quote) quote = null;
      else word += sign;
    } else if (sign === "'" || sign === '"') {
      quote = sign;
      word ??= "";
    } else if (/\s/.test(sign)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + sign;
  }
  if (quote !== null) return null;
  return word === null ? words : [...words, word];
}
