import { run as testBrowsers } from "./test-browsers.ts";
import { run as testDeployment } from "./test-deployment.ts";
import { run as testFaults } from "./test-faults.ts";
import { run as testHosted } from "./test-hosted.ts";
import { run as test } from "./test.ts";

/**
 * `npm run test:nightly`: runs every test that exists, also those that take too long for `npm test`,
 * and all server tests on PostgreSQL (NIGHTLY=1 in package.json). Takes hours.
 */
export async function run(): Promise<number> {
  let code = 0;
  for (const runPart of [test, testBrowsers, testFaults, testDeployment, testHosted])
    code = Math.max(code, await runPart([]));
  return code;
}
