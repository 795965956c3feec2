import type { OutboxEntry } from "./outbox-storage.ts";

/** A new entry; under a key of its own unless it is about something that has one. `now` is epoch ms. */
export function createEntry(
  memberId: number,
  now: number,
  { key = createKey(), ...about }: Partial<Pick<OutboxEntry, "key" | "body">> = {},
): OutboxEntry {
  return { ...about, key, memberId, postedAt: now, isTried: true, isRecalled: false, isRefused: false, failures: 0 };
}

/** Whether it counts for its member although the server has not said so. */
export function isPending({ isRecalled, isRefused }: OutboxEntry): boolean {
  return !isRecalled && !isRefused;
}

/** Pending, and without an answer after at least one try. */
export function isWaiting(entry: OutboxEntry): boolean {
  return isPending(entry) && entry.failures > 0;
}

/**
 * Whether a try that ended with this status may end otherwise the next time; 401: once the member is back; 404: a proxy such as
 * Traefik says so while the server restarts, which itself never does.
 */
export function isRetryable(status: number): boolean {
  return [0, 401, 404, 408, 409, 429].includes(status) || status >= 500;
}

/** Pause before the next try in milliseconds: 0.5 s, doubling up to 30 s, spread by a quarter either way. */
export function retryDelay(failures: number, random: number): number {
  return Math.min(500 * 2 ** (failures - 1), 30_000) * (0.75 + random / 2);
}

/** A random key; randomUUID is missing where the page came over plain http. */
function createKey(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
