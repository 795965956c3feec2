import { runTests } from "./run-tests.ts";

/** `npm test [FILE…] [-t NAME]`: runs all checks and all tests that take at most minutes, or only the named files. */
export async function run(args: readonly string[]): Promise<number> {
  const projects = ["repository", "web", "page", "process", "server (sqlite)", "server (postgres)", "e2e"] as const;
  return runTests({ projects, args, withChecks: true });
}
