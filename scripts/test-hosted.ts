import { join } from "node:path";

import { home, installApart } from "./prepare.js";
import { runTests } from "./run-tests.ts";

/**
 * `npm run test:hosted`: tests the server with REALTIME_URL against a real Pusher-compatible
 * service, soketi. It needs an older Node and is not a dependency of this program, so both are
 * installed into a folder of their own.
 */
export async function run(args: readonly string[]): Promise<number> {
  const folder = join(home, ".build/soketi");
  installApart(join(home, "test/hosted/soketi"), folder);
  process.env["SOKETI"] = folder;
  return runTests({ projects: ["hosted"], args });
}
