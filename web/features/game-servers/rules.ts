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

export function formatPhase(server: StateOfServer): string {
  return server.is_active ? phaseLabels[toPhase(server)] : "Noch nicht freigegeben";
}

export interface SwitchButtonState {
  readonly label: "starten" | "herunterfahren" | "Fehler";
  /** State to request: 1 starts, 2 stops, `null` disables the button. */
  readonly state: 1 | 2 | null;
  /** Already starting or stopping. */
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

export function formatPlayers({ players, is_queryable }: Pick<GameServer, "players" | "is_queryable">): string | null {
  if (players === null) return is_queryable ? "Wer spielt: unbekannt" : null;
  const { online, max } = players;
  if (online === 0) return "Niemand spielt gerade.";
  const count = max === null ? String(online) : `${online} von ${max}`;
  const who = formatPlayerNames(players);
  return `${count} ${verbFor(online)}${who === "" ? "" : `: ${who}`}`;
}

export function stopWarning(players: Players): string | null {
  if (players === null || players.online === 0) return null;
  const who = formatPlayerNames(players);
  return `${players.online} ${verbFor(players.online)} gerade${who === "" ? "" : `: ${who}`}.`;
}

export interface LastChange {
  readonly text: string;
  readonly by: GameServer["changed_by"];
}

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

export function formatStartFailure({ start_failure: failure }: GameServer, now: number): string | null {
  return failure && `${describeFailure(failure)} (${timeAgo(Date.parse(failure.at), now, "short")})`;
}

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

function formatPlayerNames({ online, names }: NonNullable<Players>): string {
  const unnamed = online - names.length;
  if (names.length === 0) return "";
  return names.join(", ") + (unnamed > 0 ? ` und noch ${unnamed}` : "");
}

/** Swaps an item with the previous (-1) or next (1) one. */
export function moveItem<Item>(items: readonly Item[], from: number, by: -1 | 1): Item[] {
  const to = from + by;
  if (to < 0 || to >= items.length) return [...items];
  return items.with(from, items[to]!).with(to, items[from]!);
}
