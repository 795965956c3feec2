import { caddy, nginx, provide } from "./machine.ts";
import { refreshWeb } from "./prepare.js";
import { close, fail, newTally } from "./tally.ts";
import { runTests } from "./vitest.ts";

/** `npm run test:deployment`: the files that operators copy, run for real as far as this machine allows. */
export async function run(files: readonly string[]): Promise<number> {
  const tally = newTally();
  for (const program of [caddy, nginx]) {
    if (!(await provide(program))) fail(tally, program.package, "is missing");
  }
  refreshWeb();
  if (tally.failed === 0) await runTests(tally, ["deployment"], files);
  return close(tally);
}
