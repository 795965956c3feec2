import type { Client } from "#test/client.ts";
// Measures the pages' most frequent reads with one thousand and with two million beers, on two
// otherwise equal servers in alternating runs. The counts are stored, so response times must not
// grow with the number of beers: the median with two million may be at most 1.1 times the median
// with one thousand. Also prints how long `demo --beers N` takes, and repeats everything on
// PostgreSQL if it is installed.
import { type DatabaseKind, createServerProcess, type ServerProcess } from "#test/process/server-process.ts";
import { runLoad, median, printTable, requestHead } from "./measure.ts";

const few = 1000;
const many = 2_000_000;
const rounds = 7;
const seconds = 1;
/**
 * Raises the rate limits, because the measurement reads the login status more than 120,000 times a
 * minute.
 */
const env = { RATE_LIMIT_FACTOR: "10000" };
const paths = {
  counters: "/api/beercounter/counters",
  "stats/user": "/api/beercounter/stats/user",
  "stats/timely": "/api/beercounter/stats/timely",
  "stats/period, year": "/api/beercounter/stats/period?span=year",
  "stats/period, all": "/api/beercounter/stats/period?span=all",
  checkLoginStatus: "/api/checkLoginStatus",
};

export async function measureReads(): Promise<void> {
  const databases: DatabaseKind[] = process.env["TEST_DATABASE_URL"] ? ["sqlite", "postgres"] : ["sqlite"];
  for (const database of databases) {
    await using small = await createServerProcess({ database, env });
    await using big = await createServerProcess({ database, env });
    const [atSmall, fillingSmall] = await fill(small, few);
    const [atBig, fillingBig] = await fill(big, many);
    const rows = [];
    for (const [name, path] of Object.entries(paths)) {
      const fewTimes: number[] = [];
      const manyTimes: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        fewTimes.push(await ask(small, atSmall, path));
        manyTimes.push(await ask(big, atBig, path));
      }
      const fewMs = median(fewTimes);
      const manyMs = median(manyTimes);
      rows.push({ GET: name, "1 thousand, ms": fewMs, "2 million, ms": manyMs, "many / few": manyMs / fewMs });
    }
    printTable(`Reading at 1 thousand and at 2 million beers on ${database} (medians of alternating runs)`, rows);
    process.stdout.write(`Filling took ${fillingSmall.toFixed(1)} s and ${fillingBig.toFixed(1)} s.\n`);
  }
}

/**
 * Fills the database with demo beers, starts the server, and logs in a member. Also returns the
 * seconds that filling took.
 */
async function fill(server: ServerProcess, beers: number): Promise<[Client, seconds: number]> {
  const began = performance.now();
  const { json } = await server.run("demo", "--beers", String(beers), "--json");
  const filling = (performance.now() - began) / 1000;
  await server.start();
  const client = server.createClient();
  const { uname, password } = json.members[0];
  await client.post("/api/login", { uname, password });
  const counted = (await client.get(paths.counters)).json.KSKCounterVal;
  if (counted !== beers) throw new Error(`${counted} beers instead of ${beers}`);
  return [client, filling];
}

/** Returns the median time from request to answer in milliseconds. */
async function ask({ port }: ServerProcess, client: Client, path: string): Promise<number> {
  return (await runLoad({ port, connections: 2, seconds, head: requestHead("GET", path, client) })).p50;
}
