// Measures how many requests for the counters are answered per second: by our server (with session,
// rate limits and contract) and by the baseline, plain Fastify with one SQLite query. Runs
// alternate between both servers. The goal is at least 0.7 times the baseline's rate.
import { startServerProcess } from "#test/process/server-process.ts";
import { startBaseline } from "./baseline.ts";
import { median, printTable, requestHead, runLoad } from "./measure.ts";

const connectionCounts = [1, 16];
const rounds = 5;
const seconds = 2;

export async function measureCounters(): Promise<void> {
  await using server = await startServerProcess();
  const [anna] = await server.createMembers("anna");
  using baseline = await startBaseline(server.dataDir, "fastify-server.ts");
  const head = requestHead("GET", "/api/beercounter/counters", anna!);
  const rows = [];
  for (const connections of connectionCounts) {
    const [rates, baselineRates]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      baselineRates.push((await runLoad({ port: baseline.port, connections, seconds, head })).perSecond);
      rates.push((await runLoad({ port: server.port, connections, seconds, head })).perSecond);
    }
    rows.push({
      connections: String(connections),
      "app /s": median(rates),
      "baseline /s": median(baselineRates),
      "app / baseline": median(rates) / median(baselineRates),
    });
  }
  printTable("Reading the counters per second (medians of alternating runs)", rows);
}
