import { chromium, faketime, postgres, provide, strace } from "./machine.ts";
import { startPostgres } from "./postgres.ts";
import { refreshWeb } from "./prepare.js";
import { close, fail, newTally } from "./tally.ts";
import { runTests } from "./vitest.ts";

/** `npm run test:faults [FILE…]`: kills, full disks, attacks and load against the real server. Takes many minutes. */
export async function run(files: readonly string[]): Promise<number> {
  const tally = newTally();
  for (const program of [strace, faketime, chromium]) {
    if (!(await provide(program))) fail(tally, program.package, "is missing");
  }
  const database = await provide(postgres);
  if (!database) fail(tally, postgres.package, "is missing");
  if (tally.failed > 0 || !database) return close(tally);

  refreshWeb();
  const server = await startPostgres(database);
  try {
    process.env["TEST_DATABASE_URL"] = server.url;
    await runTests(tally, ["faults"], files);
  } finally {
    server.stop();
  }
  return close(tally);
}
