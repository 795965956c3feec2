import { runTests, withNightly } from "./run-tests.ts";

/**
 * `npm test [FILE…] [-t NAME]`: runs the checks and all tests of the projects below, or only the
 * named files. With NIGHTLY=1, also those that take too long for every day.
 */
export async function run(args: readonly string[]): Promise<number> {
  const postgres = withNightly ? "server (all on postgres)" : "server (postgres)";
  const projects = ["repository", "web", "page", "server (sqlite)", postgres, "e2e"] as const;
  return runTests({ projects, args, withChecks: true });
}
