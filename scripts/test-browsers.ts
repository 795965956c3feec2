import { runTests } from "./run-tests.ts";

/**
 * `npm run test:browsers [FILE…]`: runs the tests of test/browsers, in Firefox, WebKit and
 * Chromium.
 */
export async function run(args: readonly string[]): Promise<number> {
  return runTests({ projects: ["browsers"], args });
}
