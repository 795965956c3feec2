import { runTests } from "./run-tests.ts";

/** `npm run test:browsers [FILE…]`: runs journeys in Firefox and WebKit, and those that need the whole of Chromium. */
export async function run(args: readonly string[]): Promise<number> {
  return runTests({ projects: ["browsers"], args });
}
