// Runs one of our TypeScript programs: `node scripts/run.js scripts/test.ts` installs what is missing and calls its run().
import { join } from "node:path";

import { dieWithLauncher, home, installPackages, needsOtherNode, runPinned, settleIn } from "./prepare.js";

const [program, ...args] = process.argv.slice(2);

try {
  if (needsOtherNode()) {
    process.exitCode = await runPinned([process.argv[1], program, ...args]);
  } else {
    dieWithLauncher();
    installPackages();
    settleIn();
    const { run } = await import(join(home, program));
    process.exitCode = await run(args);
  }
} catch (error) {
  process.stderr.write(`${error.isPlain ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
