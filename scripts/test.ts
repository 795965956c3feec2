import { runTests } from "./run-tests.ts";

/**
 * `npm test [FILE…] [-t NAME]`: runs the checks and all tests of the projects below, or only the
 * named files.
 */
export async function run(args: readonly string[]): Promise<number> {
  const projects = ["repository", "web", "page", "process", "server (sqlite)", "server (postgres)", "e2e"] as const;
  return runTests({ projects, args, withChecks: true });
}
