import { runTests } from "./run-tests.ts";

/** `npm run test:deployment`: runs the deployment files as far as this machine allows. */
export async function run(args: readonly string[]): Promise<number> {
  return runTests({ projects: ["deployment"], args });
}
