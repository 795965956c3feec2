import { startPostgres } from "../scripts/postgres.ts";
// `npm run bench [durable] [counters] [reads] [fanout] [memory]`: prints tables and writes no
// files. Compare only the ratios: the two servers of a measurement run alternately, so a busy
// machine slows both. The absolute numbers are valid only for this machine at this time. `npm run
// bench -- cluster …` has further arguments: see cluster.ts.
import { postgres, ensureInstalled } from "../scripts/system-programs.ts";
import { measureCluster } from "./cluster.ts";
import { measureCounters } from "./counters.ts";
import { measureDurable } from "./durable.ts";
import { measureFanout } from "./fanout.ts";
import { measureMemory } from "./memory.ts";
import { measureReads } from "./reads.ts";

const measurements: Record<string, () => Promise<void>> = {
  durable: measureDurable,
  counters: measureCounters,
  fanout: measureFanout,
  reads: measureReads,
  memory: measureMemory,
};
const cluster = "cluster";

export async function run(names: readonly string[]): Promise<number> {
  const isCluster = names[0] === cluster;
  const unknown = !isCluster && names.find((name) => !(name in measurements));
  if (unknown) {
    const known = [...Object.keys(measurements), cluster].join(", ");
    process.stderr.write(`There is no measurement “${unknown}”, only ${known}.\n`);
    return 2;
  }
  const binary = await ensureInstalled(postgres);
  const database = binary ? await startPostgres(binary, { isDurable: true }) : null;
  try {
    if (database) process.env["TEST_DATABASE_URL"] = database.url;
    if (isCluster) await measureCluster(names.slice(1));
    for (const [name, measure] of Object.entries(measurements)) {
      if (names.length === 0 || (!isCluster && names.includes(name))) await measure();
    }
  } finally {
    database?.stop();
  }
  return 0;
}
