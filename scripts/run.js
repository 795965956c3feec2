// Runs one of our TypeScript scripts: `node scripts/run.js test` installs what is missing and runs scripts/test.ts.
import { join } from "node:path";
import { dieWithLauncher, installPackages, needsOtherNode, putNodeFirstInPath, runPinned } from "./prepare.js";

const [name, ...args] = process.argv.slice(2);

try {
  if (needsOtherNode()) {
    process.exitCode = await runPinned([process.argv[1], name, ...args]);
  } else {
    putNodeFirstInPath();
    installPackages();
    dieWithLauncher();
    const { run } = await import(join(import.meta.dirname, `${name}.ts`));
    process.exitCode = await run(args);
  }
} catch (error) {
  process.stderr.write(`${error.isPlain ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
