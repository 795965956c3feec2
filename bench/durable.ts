// Measures durably booked beers per second: our server (with session, CSRF token, rate limits,
// idempotency key and event) against baseline-server.ts, which only writes the same rows. Both
// commit to disk before they answer; our server may commit simultaneous beers together. Runs
// alternate, so that a busy machine slows both equally. The goal is to be faster than the baseline
// at 64 connections.
import { startServerProcess } from "#test/process/server-process.ts";
import { startBaseline } from "./baseline.ts";
import { runLoad, median, printTable, requestHead } from "./measure.ts";

const connectionCounts = [1, 16, 64];
const rounds = 5;
const seconds = 3;

export async function measureDurable(): Promise<void> {
  await using server = await startServerProcess();
  const [anna] = await server.createMembers("anna");
  using baseline = await startBaseline(server.dataDir);
  const head = requestHead("POST", "/api/beercounter/counters", anna!);
  const rows = [];
  let counted = 0;
  for (const connections of connectionCounts) {
    const rates: number[] = [];
    const baselineRates: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const bare = await runLoad({ port: baseline.port, connections, seconds, head });
      const result = await runLoad({ port: server.port, connections, seconds, head });
      baselineRates.push(bare.perSecond);
      rates.push(result.perSecond);
      counted += result.answered;
    }
    rows.push({
      connections: String(connections),
      "app /s": median(rates),
      "baseline /s": median(baselineRates),
      "app / baseline": median(rates) / median(baselineRates),
    });
  }
  const { KSKCounterVal } = (await anna!.get("/api/beercounter/counters")).json;
  if (KSKCounterVal !== counted) throw new Error(`${KSKCounterVal} beers counted instead of ${counted}`);
  printTable("Durable beers per second (medians of alternating runs)", rows);
}
