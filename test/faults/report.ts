import type { DatabaseKind } from "#test/process/server-process.ts";

/** The databases that every fault is tried on: both where there is a PostgreSQL to make databases on. */
export const databases: readonly DatabaseKind[] = process.env["TEST_DATABASE_URL"]
  ? ["sqlite", "postgres"]
  : ["sqlite"];

/**
 * Prints one JSON line with what a test saw beside what it wanted, so that slow decay shows over time. Call it before the
 * numbers are judged: what missed its target is printed too.
 */
export function report(line: {
  readonly id: string;
  readonly ok: boolean;
  readonly number: number | string | Record<string, number | string>;
  readonly target: string;
  readonly db?: DatabaseKind;
}): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** The value below which the given share of the numbers lies. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
}
