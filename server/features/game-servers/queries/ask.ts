import type { queryKinds } from "#contract/admin-game-servers.ts";
import type { Players } from "#contract/game-servers.ts";
import { askMinecraft } from "./minecraft.ts";
import { askQuake3 } from "./quake3.ts";
import type { Place, Said } from "./said.ts";
import { askSource } from "./source.ts";

export type QueryKind = (typeof queryKinds)[number];

/** How long the whole conversation may take. */
const usualPatienceMs = 2000;
const mostNames = 64;
const mostPlayers = 100_000;

const askers: Record<Exclude<QueryKind, "none">, (place: Place, signal: AbortSignal) => Promise<Said>> = {
  minecraft: askMinecraft,
  source: askSource,
  quake3: askQuake3,
};

/** Asks the game who plays; null where it does not say, or not in time. Never throws. */
export async function askPlayers(
  query: Exclude<QueryKind, "none">,
  address: string,
  patienceMs = usualPatienceMs,
): Promise<Players> {
  const place = readPlace(address);
  if (!place) return null;
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), patienceMs);
  try {
    return bound(await askers[query](place, patience.signal));
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** `host:port`, an IPv6 host in brackets; null where it is something else. */
export function readPlace(address: string): Place | null {
  const [, bracketed, plain, port] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9][A-Za-z0-9.-]*)):(\d{1,5})$/.exec(address) ?? [];
  const host = bracketed ?? plain;
  const number = Number(port);
  return host !== undefined && number >= 1 && number <= 65_535 ? { host, port: number } : null;
}

/** Games are strangers: whatever they say is cut to what a page can show. */
function bound({ online, max, names }: Said): Players {
  if (!isCount(online)) return null;
  const readable = names.flatMap((name) => (typeof name === "string" ? [cleanName(name)] : []));
  return {
    online,
    max: isCount(max) && max > 0 ? max : null,
    names: readable.filter((name) => name !== "").slice(0, mostNames),
  };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= mostPlayers;
}

const longestName = 32;

/** Without the colour codes of Quake (^1) and Minecraft (§a), control characters, and marks that turn the line around. */
export function cleanName(name: string): string {
  const plain = name
    .slice(0, 256)
    .replaceAll(/\^[0-9A-Za-z]|§./gu, "")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, "")
    .trim();
  return [...plain].slice(0, longestName).join("").trim();
}
