import type { DatabaseKind } from "#test/process/server-process.ts";

/** The databases that every fault is tried on: both where there is a PostgreSQL to make databases on. */
export const databases: readonly DatabaseKind[] = process.env["TEST_DATABASE_URL"]
  ? ["sqlite", "postgres"]
  : ["sqlite"];

type Measured = number | string;

/**
 * Prints one JSON line with what a test measured beside its target, so that slow decay shows over time. Call it before the
 * numbers are asserted: what missed its target is printed, too.
 */
export function report(
  id: string,
  measured: Measured | Readonly<Record<string, Measured>>,
  target: string,
  db: DatabaseKind = "sqlite",
): void {
  process.stdout.write(`${JSON.stringify({ id, measured, target, db })}\n`);
}

/** The value below which the given share of the numbers lies. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
}
