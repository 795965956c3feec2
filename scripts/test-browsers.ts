import { runTests } from "./run-tests.ts";

/**
 * `npm run test:browsers [FILE…]`: runs the tests of test/browsers, in Chromium and WebKit, and the
 * tests with the tag `@firefox` in Firefox.
 */
export async function run(args: readonly string[]): Promise<number> {
  return runTests({ projects: ["browsers", "webkit", "firefox"], args });
}
