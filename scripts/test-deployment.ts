import { runTests } from "./run-tests.ts";

/**
 * `npm run test:deployment`: tests the files in deploy/ with real proxies, systemd and containers,
 * as far as this machine allows.
 */
export async function run(args: readonly string[]): Promise<number> {
  return runTests({ projects: ["deployment"], args });
}
