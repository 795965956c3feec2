// Runs `run()` of one of our TypeScript programs, e.g. `node scripts/run.js scripts/test.ts`. First
// installs missing packages.
import { join } from "node:path";

import { exitWithParent, home, installPackages, needsOtherNode, runPinned, prepareEnvironment } from "./prepare.js";

const [program, ...args] = process.argv.slice(2);

try {
  if (needsOtherNode()) {
    process.exitCode = await runPinned([process.argv[1], program, ...args]);
  } else {
    exitWithParent();
    installPackages();
    prepareEnvironment();
    const { run } = await import(join(home, program));
    process.exitCode = await run(args);
  }
} catch (error) {
  process.stderr.write(`${error.isPlain ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
