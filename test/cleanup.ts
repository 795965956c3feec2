import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onTestFinished, TestRunner } from "vitest";

/** What ends with the test file, in the order in which it began. */
const endings: (() => Promise<void>)[] = [];

/**
 * Does this once: when it is called, or after the test that runs now; outside of tests, after the last one of the file. What began
 * last ends first.
 */
export function endWithTest(end: () => Promise<void>): () => Promise<void> {
  let ended: Promise<void> | undefined;
  const endOnce = () => (ended ??= end());
  if (TestRunner.getCurrentTest()) onTestFinished(endOnce);
  else endings.push(endOnce);
  return endOnce;
}

/** Called after the last test of every file, by setup.ts. */
export async function endWithFile(): Promise<void> {
  for (const end of endings.splice(0).toReversed()) await end();
}

/** A new folder, which goes with the test or, outside of tests, with the file. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "stammtisch-"));
  endWithTest(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
