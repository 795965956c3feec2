import { describeFailure, type GameServer, type Phase, type Players, toPhase } from "#contract/game-servers.ts";
import { formatTimeOfDay, timeAgo } from "#web/ui/german.ts";

const phaseLabels: Readonly<Record<Phase, string>> = {
  stopped: "Aus",
  starting: "Startet …",
  running: "Läuft",
  stopping: "Stoppt …",
  restarting: "Startet neu …",
  paused: "Pausiert",
  crashed: "Abgestürzt",
  unknown: "Gerade nicht erreichbar",
  unreachable: "Gerade nicht erreichbar",
  missing: "Nicht eingerichtet",
};

type StateOfServer = Pick<GameServer, "state" | "is_missing" | "is_active">;

/** Returns the German name of a game server's phase. */
export function formatPhase(server: StateOfServer): string {
  return server.is_active ? phaseLabels[toPhase(server)] : "Noch nicht freigegeben";
}

/**
 * Content of the button that starts or stops a game server. `state` is the state that a click
 * requests: 1 starts, 2 stops, `null` disables the button.
 */
export interface SwitchButtonState {
  readonly label: "starten" | "herunterfahren" | "Fehler";
  readonly state: 1 | 2 | null;
  /** `true` while the game server is already starting or stopping. */
  readonly isChanging: boolean;
}

export function toSwitchButton(server: StateOfServer): SwitchButtonState {
  const { state, is_active } = server;
  if (!is_active) return { label: "starten", state: null, isChanging: false };
  if (state === null) return { label: "Fehler", state: null, isChanging: false };
  const phase = toPhase(server);
  return state.Running
    ? { label: "herunterfahren", state: 2, isChanging: phase === "stopping" }
    : { label: "starten", state: 1, isChanging: phase === "starting" };
}

/**
 * Returns the current players, e.g. "3 von 20 spielen: Anna, Ben, Carla"; `null` if the game cannot
 * be queried.
 */
export function formatPlayers({ players, is_queryable }: Pick<GameServer, "players" | "is_queryable">): string | null {
  if (players === null) return is_queryable ? "Wer spielt: unbekannt" : null;
  const { online, max } = players;
  if (online === 0) return "Niemand spielt gerade.";
  const count = max === null ? String(online) : `${online} von ${max}`;
  const who = formatPlayerNames(players);
  return `${count} ${verbFor(online)}${who === "" ? "" : `: ${who}`}`;
}

/**
 * Returns the warning shown before a game server is stopped, e.g. "3 spielen gerade: Anna, Ben,
 * Carla."; `null` if no players are known.
 */
export function stopWarning(players: Players): string | null {
  if (players === null || players.online === 0) return null;
  const who = formatPlayerNames(players);
  return `${players.online} ${verbFor(players.online)} gerade${who === "" ? "" : `: ${who}`}.`;
}

export interface LastChange {
  readonly text: string;
  readonly by: GameServer["changed_by"];
}

/**
 * Describes the last start, stop or crash of a game server, e.g. "gestartet von Anna, vor 2 Std.";
 * `null` if unknown.
 */
export function describeLastChange(server: GameServer, now: number): LastChange | null {
  const { changed_by: by, changed_at: at, state } = server;
  if (at === null || state === null) return null;
  const phase = toPhase(server);
  const when = timeAgo(Date.parse(at), now, "short");
  if (phase === "crashed") return { text: `abgestürzt ${when}`, by: null };
  const isDown = phase === "stopped" || phase === "stopping";
  if (by === null) return { text: `${isDown ? "gestoppt" : "gestartet"} ${when}`, by };
  const name = by.is_former ? "einem ehemaligen Mitglied" : by.name;
  return { text: `${isDown ? "heruntergefahren" : "gestartet"} von ${name}, ${when}`, by: by.is_former ? null : by };
}

/**
 * Describes why the last start failed, e.g. "Start fehlgeschlagen: Minecraft meldet beim Start
 * einen Fehler. (vor 5 Min.)"; `null` if the last start did not fail.
 */
export function formatStartFailure({ start_failure: failure }: GameServer, now: number): string | null {
  return failure && `${describeFailure(failure)} (${timeAgo(Date.parse(failure.at), now, "short")})`;
}

/**
 * Returns the text about the automatic stop of a game server, e.g. "Stoppt von selbst um 21:40 Uhr,
 * in 12 Min.".
 */
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

/**
 * Returns the names of the players and the number of players without a name; "" if no names are
 * known.
 */
function formatPlayerNames({ online, names }: NonNullable<Players>): string {
  const unnamed = online - names.length;
  if (names.length === 0) return "";
  return names.join(", ") + (unnamed > 0 ? ` und noch ${unnamed}` : "");
}
