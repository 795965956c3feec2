import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import type { ClientResponse, Client } from "#test/client.ts";

/** Where beers are tapped and counted. */
export const counters = "/api/beercounter/counters";

/** Taps one beer under a key. */
export function tap(member: Client, key: string): Promise<ClientResponse> {
  return member.post(counters, undefined, { "idempotency-key": key });
}

/** Sends the same key again and again, whatever happens to the connection, until the beer was answered. */
export async function tapUntilAnswered(member: Client, key: string): Promise<ClientResponse> {
  for (;;) {
    const answer = await tap(member, key).catch(() => null);
    if (answer?.status === 200) return answer;
    // In flight, or the database is away: neither says that the beer counts, nor that it does not.
    if (answer && answer.status !== 409 && answer.status !== 503) throw new Error(`${answer.status} ${answer.text}`);
    await sleep(20);
  }
}

/** Drinks beer after beer, each under a new key, and returns the keys that were answered. */
export async function tapUntil(member: Client, isOver: () => boolean): Promise<string[]> {
  const keys: string[] = [];
  while (!isOver()) {
    const key = randomUUID();
    await tapUntilAnswered(member, key);
    keys.push(key);
  }
  return keys;
}
