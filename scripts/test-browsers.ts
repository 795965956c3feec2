import { runTests } from "./run-tests.ts";

/**
 * `npm run test:browsers [FILE…]`: runs the tests in Firefox, in WebKit and in a Chromium with
 * windows.
 */
export async function run(args: readonly string[]): Promise<number> {
  return runTests({ projects: ["browsers"], args });
}
