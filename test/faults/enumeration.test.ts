import { afterAll, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { startServerProcess } from "#test/process/server-process.ts";
import { report } from "./report.ts";

const rounds = 150;

const server = await startServerProcess();
await server.createMembers("anna");

afterAll(() => server[Symbol.asyncDispose]());

/**
 * Returns the probability that a time of a known name is longer than one of an unknown name (AUC).
 * 0.5 means that the times cannot be distinguished.
 */
function tellingApart(known: readonly number[], unknown: readonly number[]): number {
  const longer = known.flatMap((one) => unknown.map((other): number => (one > other ? 1 : one === other ? 0.5 : 0)));
  return longer.reduce((sum, value) => sum + value, 0) / longer.length;
}

/**
 * Sends requests for a known and an unknown name in pairs, in alternating order. Records times and
 * answers separately.
 */
async function compare(client: Client, path: string, bodyOf: (isKnown: boolean, round: number) => object) {
  const seen = { known: new Set<string>(), unknown: new Set<string>() };
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
  for (let round = 0; round < rounds; round++) {
    for (const kind of round % 2 ? (["known", "unknown"] as const) : (["unknown", "known"] as const)) {
      const body = bodyOf(kind === "known", round);
      const began = performance.now();
      const answer = await client.post(path, body);
      times[kind].push(performance.now() - began);
      const headers = Object.entries(answer.headers).filter(([name]) => !/^(date|x-ratelimit|set-cookie)/.test(name));
      seen[kind].add(JSON.stringify([answer.status, answer.text, headers]));
    }
  }
  return { seen, times };
}

test.each([
  ["login", "/api/login", (isKnown: boolean) => ({ uname: isKnown ? "anna" : "nobody", password: "nicht dieses" })],
  [
    "forgot-password",
    "/api/forgot-password",
    (isKnown: boolean) => ({ email: isKnown ? "anna@stammtisch.example" : "nobody@stammtisch.example" }),
  ],
])(
  "the endpoint %s does not reveal by its answers or their duration whether a name exists",
  async (name, path, bodyOf) => {
    const client = server.createClient();
    await client.get("/sanctum/csrf-cookie");
    await compare(client, path, bodyOf);
    const { seen, times } = await compare(client, path, bodyOf);
    const auc = Number(tellingApart(times.known, times.unknown).toFixed(3));
    const fastest = Math.round(Math.min(...times.known, ...times.unknown));
    const isHidden = auc >= 0.45 && auc <= 0.55;
    report(name === "login" ? "T011" : "T012", { auc, fastest }, "AUC 0.45–0.55, ≥ 200 ms");
    expect(seen.known).toEqual(seen.unknown);
    expect(seen.known.size).toBe(1);
    expect(fastest).toBeGreaterThanOrEqual(199);
    expect(isHidden).toBe(true);
  },
);
