import { runTests, withNightly } from "./run-tests.ts";

/**
 * `npm run test:browsers [FILE…]`: runs the tests of test/browsers in Chromium and WebKit. With
 * NIGHTLY=1 or with named files, also runs those with the tag `@firefox` in Firefox.
 */
export async function run(args: readonly string[]): Promise<number> {
  const withFirefox = withNightly || args.length > 0;
  return runTests({ projects: ["browsers", "webkit", ...(withFirefox ? (["firefox"] as const) : [])], args });
}
