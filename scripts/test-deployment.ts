import { runTests } from "./run-tests.ts";

/** `npm run test:deployment`: the files that operators copy, run for real as far as this machine allows. */
export async function run(args: readonly string[]): Promise<number> {
  return runTests({ projects: ["deployment"], args });
}
