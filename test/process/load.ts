import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import type { ClientResponse, Client } from "#test/client.ts";

/** Path that books a beer (POST) or returns the counters (GET). */
export const counters = "/api/beercounter/counters";

export function tap(member: Client, key: string): Promise<ClientResponse> {
  return member.post(counters, undefined, { "idempotency-key": key });
}

/**
 * Sends a tap with the same key until it is answered with 200. Retries after a lost connection and
 * after the statuses 409 and 503.
 */
export async function tapUntilAnswered(member: Client, key: string): Promise<ClientResponse> {
  for (;;) {
    const answer = await tap(member, key).catch(() => null);
    if (answer?.status === 200) return answer;
    // 409 (the same tap is in flight) and 503 (no database) do not tell if the beer is booked.
    if (answer && answer.status !== 409 && answer.status !== 503) throw new Error(`${answer.status} ${answer.text}`);
    await sleep(20);
  }
}

/**
 * Books one beer after another, each with a new key, until `isOver` returns true. Returns the keys
 * of the booked beers.
 */
export async function tapUntil(member: Client, isOver: () => boolean): Promise<string[]> {
  const keys: string[] = [];
  while (!isOver()) {
    const key = randomUUID();
    await tapUntilAnswered(member, key);
    keys.push(key);
  }
  return keys;
}
