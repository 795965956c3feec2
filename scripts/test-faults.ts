import { chromium, faketime, postgres, ensureInstalled, strace } from "./system-programs.ts";
import { startPostgres } from "./postgres.ts";
import { refreshWeb } from "./prepare.js";
import { printSummary, reportFailure, createResults } from "./results.ts";
import { runTests } from "./vitest.ts";

/** `npm run test:faults [FILE…]`: kills, full disks, attacks and load against the real server. Takes many minutes. */
export async function run(files: readonly string[]): Promise<number> {
  const tally = createResults();
  for (const program of [strace, faketime, chromium]) {
    if (!(await ensureInstalled(program))) reportFailure(tally, program.package, "is missing");
  }
  const database = await ensureInstalled(postgres);
  if (!database) reportFailure(tally, postgres.package, "is missing");
  if (tally.failed > 0 || !database) return printSummary(tally);

  refreshWeb();
  const server = await startPostgres(database);
  try {
    process.env["TEST_DATABASE_URL"] = server.url;
    await runTests(tally, ["faults"], files);
  } finally {
    server.stop();
  }
  return printSummary(tally);
}
