export interface Results {
  passed: number;
  failed: number;
  skipped: number;
}

export function createResults(): Results {
  return { passed: 0, failed: 0, skipped: 0 };
}

export function reportPass(results: Results, name: string, detail: string): void {
  results.passed += 1;
  process.stdout.write(`✓ ${name} (${detail})\n`);
}

export function reportFailure(results: Results, name: string, reason: string): void {
  results.failed += 1;
  process.stdout.write(`✗ ${name}: ${reason}\n`);
}

/**
 * Prints the final line, whose format other programs parse. Returns the exit code, which is 1 if
 * any test failed or none ran.
 */
export function printSummary(results: Results): number {
  const { passed, failed, skipped } = results;
  if (passed + failed === 0) process.stdout.write("Nothing was tested.\n");
  process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
  return failed === 0 && passed > 0 ? 0 : 1;
}
