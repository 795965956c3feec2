import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onTestFinished, TestRunner } from "vitest";

/** Clean-up functions of the test file, in the order in which they were registered. */
const endings: (() => Promise<void>)[] = [];

/**
 * Registers a clean-up function that runs once: after the current test, or after the file if no
 * test is running, or earlier if the returned function is called. Clean-up functions run in reverse
 * order of registration.
 */
export function endWithTest(end: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | undefined;
  const endOnce = () => (ended ??= end());
  if (TestRunner.getCurrentTest()) onTestFinished(endOnce);
  else endings.push(endOnce);
  return endOnce;
}

/** Runs the clean-up functions of the file; setup.ts calls this function after the last test. */
export async function endWithFile(): Promise<void> {
  for (const end of endings.splice(0).toReversed()) await end();
}

/** Creates a folder that is removed after the test or, outside of tests, after the file. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "stammtisch-"));
  endWithTest(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
