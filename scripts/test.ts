import { runTests } from "./run-tests.ts";

/** `npm test [FILE…] [-t NAME]`: every check and every test that takes minutes at most, or only those of the files named. */
export async function run(args: readonly string[]): Promise<number> {
  const projects = ["repository", "web", "page", "process", "server (sqlite)", "server (postgres)", "e2e"] as const;
  return runTests({ projects, args, withChecks: true });
}
