import { rmSync } from "node:fs";
import { join } from "node:path";

import { runChecks } from "./checks.ts";
import { home } from "./prepare.js";
import { createResults, printSummary, showProgress } from "./results.ts";
import { runVitest } from "./vitest.ts";

/**
 * `npm run check [--whole]`: runs the fast checks that a change must pass before a review. Checks
 * only the types that a change may have broken; `--whole` checks all of them, and searches the
 * whole history for secrets, as continuous integration does.
 */
export async function run(args: readonly string[]): Promise<number> {
  const results = createResults();
  if (args.includes("--whole")) {
    rmSync(join(home, ".build/types"), { recursive: true, force: true });
    process.env["CI"] = "true";
  }
  const endProgress = showProgress(results);
  await Promise.all([runChecks(results), runVitest(results, { projects: ["repository"] })]);
  endProgress();
  return printSummary(results);
}
