import { runTests, withNightly } from "./run-tests.ts";

/**
 * `npm run test:browsers [FILE…]`: runs the tests of test/browsers in Chromium and WebKit. With
 * NIGHTLY=1, also those with the tag `@firefox` in Firefox.
 */
export async function run(args: readonly string[]): Promise<number> {
  const projects = withNightly ? (["browsers", "webkit", "firefox"] as const) : (["browsers", "webkit"] as const);
  return runTests({ projects, args });
}
