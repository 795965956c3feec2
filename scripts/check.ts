import { runChecks } from "./checks.ts";
import { createResults, printSummary } from "./results.ts";
import { runVitest } from "./vitest.ts";

/** `npm run check`: what a change has to pass before anybody reads it; seconds, not minutes. */
export async function run(): Promise<number> {
  const results = createResults();
  await runChecks(results);
  await runVitest(results, { projects: ["repository"] });
  return printSummary(results);
}
