import { runChecks } from "./checks.ts";
import { printSummary, createResults } from "./results.ts";
import { runTests } from "./vitest.ts";

/** `npm run check`: what a change has to pass before anybody reads it; seconds, not minutes. */
export async function run(): Promise<number> {
  const tally = createResults();
  await runChecks(tally);
  await runTests(tally, ["repository"]);
  return printSummary(tally);
}
