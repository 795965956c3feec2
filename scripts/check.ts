import { runChecks } from "./checks.ts";
import { createResults, printSummary } from "./results.ts";
import { runVitest } from "./vitest.ts";

/** `npm run check`: runs the fast checks that a change must pass before a review. */
export async function run(): Promise<number> {
  const results = createResults();
  await runChecks(results);
  await runVitest(results, { projects: ["repository"] });
  return printSummary(results);
}
