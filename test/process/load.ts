import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import type { ClientResponse, Client } from "#test/client.ts";

/** The path that books beers and returns the counters. */
export const counters = "/api/beercounter/counters";

export function tap(member: Client, key: string): Promise<ClientResponse> {
  return member.post(counters, undefined, { "idempotency-key": key });
}

/** Sends a tap with the same key until it is answered with 200; a lost connection, 409 or 503 leads to a retry. */
export async function tapUntilAnswered(member: Client, key: string): Promise<ClientResponse> {
  for (;;) {
    const answer = await tap(member, key).catch(() => null);
    if (answer?.status === 200) return answer;
    // 409 (in flight) and 503 (no database) leave open if the beer counts.
    if (answer && answer.status !== 409 && answer.status !== 503) throw new Error(`${answer.status} ${answer.text}`);
    await sleep(20);
  }
}

/** Books one beer after another, each under a new key, and returns the keys that were answered. */
export async function tapUntil(member: Client, isOver: () => boolean): Promise<string[]> {
  const keys: string[] = [];
  while (!isOver()) {
    const key = randomUUID();
    await tapUntilAnswered(member, key);
    keys.push(key);
  }
  return keys;
}
