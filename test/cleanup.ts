import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type End = () => Promise<void>;

/** Clean-up functions of the test file, in the order in which they were registered. */
const endingsOfFile: End[] = [];
/** Clean-up functions of the running test; `null` outside of tests. */
let endingsOfTest: End[] | null = null;

/**
 * Registers a clean-up function that runs once: after the current test, or after the file if no
 * test is running, or earlier if the returned function is called. Clean-up functions run in reverse
 * order of registration.
 */
export function endWithTest(end: End): End {
  let ended: Promise<void> | undefined;
  const endOnce = () => (ended ??= end());
  (endingsOfTest ?? endingsOfFile).push(endOnce);
  return endOnce;
}

/** Tells `endWithTest` that a test begins. The test runner's setup calls this function. */
export function beginTest(): void {
  endingsOfTest = [];
}

/** Runs the clean-up functions of the test. */
export async function endTest(): Promise<void> {
  const endings = endingsOfTest ?? [];
  endingsOfTest = null;
  await runAll(endings);
}

/** Runs the clean-up functions of the file. */
export async function endFile(): Promise<void> {
  await runAll(endingsOfFile.splice(0));
}

/** Runs all functions, even if some fail, and throws the first error. */
async function runAll(endings: readonly End[]): Promise<void> {
  const errors: unknown[] = [];
  for (const end of endings.toReversed()) await end().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** Creates a folder that is removed after the test or, outside of tests, after the file. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "stammtisch-"));
  endWithTest(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
