import { runTests } from "./run-tests.ts";

/**
 * `npm run test:browsers [FILE…]`: runs browser tests in Firefox and WebKit, and those that need
 * Chromium with its windows.
 */
export async function run(args: readonly string[]): Promise<number> {
  return runTests({ projects: ["browsers"], args });
}
