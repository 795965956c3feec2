import { appendFileSync } from "node:fs";

import type { DatabaseKind } from "#test/process/server-process.ts";

/**
 * The databases on which each fault is tested: SQLite, and PostgreSQL if TEST_DATABASE_URL names a
 * server for new databases.
 */
export const databases: readonly DatabaseKind[] = process.env["TEST_DATABASE_URL"]
  ? ["sqlite", "postgres"]
  : ["sqlite"];

type Measured = number | string;

/** One measurement of a fault in docs/faults.md. */
export interface Report {
  readonly id: string;
  readonly measured: Measured | Readonly<Record<string, Measured>>;
  readonly target: string;
  readonly db: DatabaseKind;
}

/**
 * Records a measurement and its target as a JSON line, on stdout and for the table of `npm run
 * test:faults`. `id` is the fault's id in docs/faults.md. Call this function before asserting the
 * numbers, so that missed targets are recorded, too.
 */
export function report(id: string, measured: Report["measured"], target: string, db: DatabaseKind = "sqlite"): void {
  const line = `${JSON.stringify({ id, measured, target, db } satisfies Report)}\n`;
  process.stdout.write(line);
  const file = process.env["FAULT_REPORT"];
  if (file) appendFileSync(file, line);
}

/** Returns the value below which the given share of the numbers lies, rounded to a tenth. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return Math.round(10 * (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN)) / 10;
}
