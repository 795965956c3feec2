import { runChecks } from "./checks.ts";
import { close, newTally } from "./tally.ts";
import { runTests } from "./vitest.ts";

/** `npm run check`: what a change has to pass before anybody reads it; seconds, not minutes. */
export async function run(): Promise<number> {
  const tally = newTally();
  await runChecks(tally);
  await runTests(tally, ["house"]);
  return close(tally);
}
