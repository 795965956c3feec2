import { tapHeaders } from "#contract/beercounter.ts";
import type { EntryChange, OutboxEntry } from "./outbox-storage.ts";

/** Creates an outbox entry, with a new idempotency key if `key` is missing. `now` is epoch ms. */
export function createEntry(
  memberId: number,
  now: number,
  { key = createKey(), ...about }: Partial<Pick<OutboxEntry, "key" | "postedAt" | "body">> = {},
): OutboxEntry {
  return { postedAt: now, ...about, key, memberId, isTried: true, isRecalled: false, isRefused: false, failures: 0 };
}

/**
 * Returns `true` if the app counts the entry optimistically: it is neither cancelled nor refused.
 */
export function isPending({ isRecalled, isRefused }: OutboxEntry): boolean {
  return !isRecalled && !isRefused;
}

/** Returns `true` if the entry is pending after at least one failed attempt to send it. */
export function isWaiting(entry: OutboxEntry): boolean {
  return isPending(entry) && entry.failures > 0;
}

/**
 * Returns `true` if a retry may succeed after this HTTP status (0: no answer). 401 is retried after
 * the next login; 404 is what proxies such as Traefik answer while the server restarts.
 */
export function isRetryable(status: number): boolean {
  return [0, 401, 404, 408, 409, 429].includes(status) || status >= 500;
}

/** Returns the headers of the request that sends a tap or its undo. */
export function headersOf({ key, memberId, postedAt, isRecalled }: OutboxEntry): Record<string, string> {
  const member = { [tapHeaders.member]: String(memberId) };
  const age = Math.max(0, Date.now() - postedAt);
  return isRecalled ? member : { ...member, [tapHeaders.key]: key, [tapHeaders.age]: String(age) };
}

/**
 * Returns a change that deletes a delivered entry. An entry that was cancelled while it was in
 * flight is kept, because its cancellation must still be sent.
 */
export function removeDelivered(sent: OutboxEntry): EntryChange {
  return (found) => (found?.isRecalled === sent.isRecalled ? null : found);
}

/**
 * Returns the milliseconds before the next retry: exponential backoff from 0.5 s to 30 s, with 25 %
 * jitter.
 */
export function retryDelay(failures: number, random: number): number {
  return Math.min(500 * 2 ** (failures - 1), 30_000) * (0.75 + random / 2);
}

/**
 * Creates a random idempotency key; `crypto.randomUUID` is missing on pages served over plain http.
 */
function createKey(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
