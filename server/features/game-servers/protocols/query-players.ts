import { parseAddress, type Players } from "#contract/game-servers.ts";
import { queryMinecraft } from "./minecraft.ts";
import { queryQuake3 } from "./quake3.ts";
import type { QueryResult } from "./query-result.ts";
import { querySource } from "./source.ts";

/** Timeout of a whole query, which may need several requests. */
const defaultTimeoutMs = 2000;
const maxNames = 64;
const maxPlayers = 100_000;

const protocols = { minecraft: queryMinecraft, source: querySource, quake3: queryQuake3 };
export type Protocol = keyof typeof protocols;

/** Resolves to `null` without a valid answer in time. Contacts only `address`. Never throws. */
export async function queryPlayers(query: Protocol, address: string, timeoutMs = defaultTimeoutMs): Promise<Players> {
  const parsed = parseAddress(address);
  if (!parsed) return null;
  try {
    return sanitize(await protocols[query](parsed, AbortSignal.timeout(timeoutMs)));
  } catch {
    return null;
  }
}

/** Keeps only valid values, since games are not trusted. */
function sanitize({ online, max, names }: QueryResult): Players {
  if (!isCount(online)) return null;
  const readable = names.flatMap((name) => (typeof name === "string" ? [cleanName(name)] : []));
  return {
    online,
    max: isCount(max) && max > 0 ? max : null,
    names: readable.filter((name) => name !== "").slice(0, maxNames),
  };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= maxPlayers;
}

const maxNameLength = 32;

/**
 * Removes color codes of Quake (^1) and Minecraft (§a), control characters, and marks that change the text direction.
 */
export function cleanName(name: string): string {
  const plain = name
    .slice(0, 256)
    .replaceAll(/\^[0-9A-Za-z]|§./gu, "")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, "")
    .trim();
  return [...plain].slice(0, maxNameLength).join("").trim();
}
