/** Outcome of a run of checks and tests, by any of the test runners. */
export interface Results {
  passed: number;
  failed: number;
  skipped: number;
  /** Number of test files of the run, and of those that have ended. */
  files: number;
  filesDone: number;
  /** Failures so far, which are printed in full at the end of the run. */
  readonly failures: Failure[];
  /** Names of skipped tests, with the reason if the test gives one. */
  readonly skips: string[];
}

interface Failure {
  /** File and sentence of a test, or the name of a check. */
  readonly name: string;
  /** The error, with the difference between expected and received values. */
  readonly reason: string;
}

/** A long difference would push the other failures off the screen. */
const reasonLines = 25;

export function createResults(): Results {
  return { passed: 0, failed: 0, skipped: 0, files: 0, filesDone: 0, failures: [], skips: [] };
}

export function reportPass(results: Results, name: string, detail: string): void {
  results.passed += 1;
  print(`✓ ${name} (${detail})`);
}

export function reportFailure(results: Results, name: string, reason: string): void {
  results.failed += 1;
  results.failures.push({ name, reason });
  print(`✗ ${name}`);
}

export function reportSkip(results: Results, name: string, reason = "no reason is given"): void {
  results.skipped += 1;
  results.skips.push(`${name} (${reason})`);
}

/**
 * Prints skipped tests, failures and the final line, whose format other programs parse. Returns the
 * exit code, which is 1 if any test failed or none ran.
 */
export function printSummary(results: Results): number {
  const { passed, failed, skipped } = results;
  for (const skip of results.skips) print(`- skipped: ${skip}`);
  for (const { name, reason } of results.failures) print(`\n✗ ${name}\n${indent(reason)}`);
  if (passed + failed === 0) print("Nothing was tested.");
  print(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

/**
 * Prints how far the run is: on a terminal in one line that changes each second, otherwise in a new
 * line every ten seconds. Returns a function that ends the output.
 */
export function showProgress(results: Results): () => void {
  const start = Date.now();
  const { isTTY } = process.stdout;
  const timer = setInterval(
    () => {
      const seconds = Math.round((Date.now() - start) / 1000);
      const { passed, failed, filesDone, files } = results;
      const line = `  ${seconds} s: ${filesDone} of ${files} test files, ${passed} passed, ${failed} failed`;
      process.stdout.write(isTTY ? `\r\u001B[K${line}` : `${line}\n`);
    },
    isTTY ? 1000 : 10_000,
  ).unref();
  return () => {
    clearInterval(timer);
    if (isTTY) process.stdout.write("\r\u001B[K");
  };
}

/** Prints a line over the progress line, which a terminal shows without a line break. */
function print(text: string): void {
  process.stdout.write(process.stdout.isTTY ? `\r\u001B[K${text}\n` : `${text}\n`);
}

function indent(reason: string): string {
  const lines = reason.trim().split("\n");
  const rest = lines.length > reasonLines ? [`… ${lines.length - reasonLines} more lines`] : [];
  return [...lines.slice(0, reasonLines), ...rest].map((line) => `    ${line}`).join("\n");
}
