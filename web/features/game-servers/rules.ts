import { describeFailure, type GameServer, type Players, type ServerState } from "#contract/game-servers.ts";
import { formatTimeOfDay, timeAgo } from "#web/ui/german.ts";

/** What a server is doing, as members see it. */
export type Phase = "off" | "starting" | "running" | "stopping" | "restarting" | "paused" | "crashed" | "unknown";

const phases: Readonly<Record<string, Phase>> = {
  created: "off",
  exited: "off",
  starting: "starting",
  running: "running",
  stopping: "stopping",
  removing: "stopping",
  restarting: "restarting",
  paused: "paused",
  dead: "crashed",
};

const phaseLabels: Readonly<Record<Phase, string>> = {
  off: "Aus",
  starting: "Startet …",
  running: "Läuft",
  stopping: "Stoppt …",
  restarting: "Startet neu …",
  paused: "Pausiert",
  crashed: "Abgestürzt",
  unknown: "Gerade nicht erreichbar",
};

/** The state in words. */
export function formatState({
  state,
  is_missing,
  is_active,
}: Pick<GameServer, "state" | "is_missing" | "is_active">): string {
  if (!is_active) return "Noch nicht freigegeben";
  return is_missing ? "Nicht eingerichtet" : phaseLabels[phaseOf(state)];
}

/** The phase of a state; an unknown status only says whether the server runs. */
export function phaseOf(state: ServerState): Phase {
  if (state === null) return "unknown";
  return phases[state.Status] ?? (state.Running ? "running" : "off");
}

/** The one button of a server: its label, and what it sends (1 starts, 2 stops, null: nothing to send). */
export interface SwitchButtonState {
  readonly label: "starten" | "herunterfahren" | "Fehler";
  readonly state: 1 | 2 | null;
  /** The server is on its way to where the button would send it. */
  readonly isChanging: boolean;
}

export function toSwitchButton({ state, is_active }: Pick<GameServer, "state" | "is_active">): SwitchButtonState {
  if (!is_active) return { label: "starten", state: null, isChanging: false };
  if (state === null) return { label: "Fehler", state: null, isChanging: false };
  const phase = phaseOf(state);
  return state.Running
    ? { label: "herunterfahren", state: 2, isChanging: phase === "stopping" }
    : { label: "starten", state: 1, isChanging: phase === "starting" };
}

/** Who plays, e.g. "3 von 20 spielen: Anna, Ben, Carla"; null: the game cannot be asked. */
export function formatPlayers({ players, is_queryable }: Pick<GameServer, "players" | "is_queryable">): string | null {
  if (players === null) return is_queryable ? "Wer spielt: unbekannt" : null;
  const { online, max } = players;
  if (online === 0) return "Niemand spielt gerade.";
  const count = max === null ? String(online) : `${online} von ${max}`;
  const who = formatPlayerNames(players);
  return `${count} ${verbFor(online)}${who === "" ? "" : `: ${who}`}`;
}

/** The warning before a server with players is stopped, e.g. "3 spielen gerade: Anna, Ben, Carla."; null: no players. */
export function stopWarning(players: Players): string | null {
  if (players === null || players.online === 0) return null;
  const who = formatPlayerNames(players);
  return `${players.online} ${verbFor(players.online)} gerade${who === "" ? "" : `: ${who}`}.`;
}

export interface LastChange {
  readonly text: string;
  readonly by: GameServer["changed_by"];
}

/** What happened last and when, e.g. "gestartet von Anna, vor 2 Std."; null: nothing is known of it. */
export function describeLastChange(server: GameServer, now: number): LastChange | null {
  const { changed_by: by, changed_at: at, state } = server;
  if (at === null || state === null) return null;
  const phase = phaseOf(state);
  const when = timeAgo(at, now, "short");
  if (phase === "crashed") return { text: `abgestürzt ${when}`, by: null };
  const isDown = phase === "off" || phase === "stopping";
  if (by === null) return { text: `${isDown ? "gestoppt" : "gestartet"} ${when}`, by };
  const name = by.is_former ? "einem ehemaligen Mitglied" : by.name;
  return { text: `${isDown ? "heruntergefahren" : "gestartet"} von ${name}, ${when}`, by: by.is_former ? null : by };
}

/** Why the last start failed, e.g. "Start fehlgeschlagen: Minecraft meldet beim Start einen Fehler. (vor 5 Min.)"; null: it did not. */
export function formatStartFailure({ start_failure: failure }: GameServer, now: number): string | null {
  return failure && `${describeFailure(failure)} (${timeAgo(failure.at, now, "short")})`;
}

/** When an empty server stops by itself, e.g. "Stoppt von selbst um 21:40 Uhr, in 12 Min.". */
export function autoStopText(at: number, now: number, timeZone: string): string {
  return `Stoppt von selbst um ${formatTimeOfDay(at, timeZone)}, ${formatCountdown(at - now)}.`;
}

function formatCountdown(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds <= 0) return "also gleich";
  return seconds < 120 ? `in ${seconds} Sek` : `in ${Math.ceil(seconds / 60)} Min`;
}

function verbFor(count: number): string {
  return count === 1 ? "spielt" : "spielen";
}

/** The names that the game lists; there may be fewer than players. */
function formatPlayerNames({ online, names }: NonNullable<Players>): string {
  const unnamed = online - names.length;
  if (names.length === 0) return "";
  return names.join(", ") + (unnamed > 0 ? ` und noch ${unnamed}` : "");
}
