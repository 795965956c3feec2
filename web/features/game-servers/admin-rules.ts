import type { driverKinds, queryKinds } from "#contract/game-servers.ts";

type DriverKind = (typeof driverKinds)[number];

type QueryKind = (typeof queryKinds)[number];

/**
 * Returns the list with the item at index `from` swapped with the previous (-1) or next (1) item.
 */
export function moveItem<Item>(items: readonly Item[], from: number, by: -1 | 1): Item[] {
  const to = from + by;
  if (to < 0 || to >= items.length) return [...items];
  return items.with(from, items[to]!).with(to, items[from]!);
}

/** German names of the drivers, by which game servers are started and stopped. */
export const driverLabels: Record<DriverKind, string> = {
  docker: "Container",
  unit: "Dienst",
  script: "Skript",
  command: "Programm",
};

/** Terminal commands that add a game server of a kind that the admin page cannot add. */
export const addCommands: Record<Exclude<DriverKind, "docker">, string> = {
  unit: "bin/stammtisch game-server add NAME --unit DIENST",
  script: "bin/stammtisch game-server add NAME --script DATEI",
  command: "bin/stammtisch game-server add NAME --command 'PROGRAMM ARGUMENTE'",
};

export const queryLabels: Record<QueryKind, string> = {
  none: "gar nicht",
  minecraft: "Minecraft",
  source: "wie bei Steam (z. B. Counter-Strike, Valheim)",
  quake3: "wie bei Quake 3 (z. B. OpenArena, Xonotic)",
};

/** Returns the trimmed text of an optional form field; `null` if it is empty. */
export function textOrNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}

export function numberOrNull(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}
