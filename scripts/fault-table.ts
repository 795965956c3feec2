import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Report } from "#test/faults/report.ts";
import { home } from "./prepare.js";

/** A row of docs/faults.md: a fault, the required behaviour and its tests. */
export interface Fault {
  readonly id: string;
  readonly fault: string;
  readonly required: string;
  /** Paths of the test files; empty if the row explains why no test exists. */
  readonly tests: readonly string[];
}

export function readFaults(): Fault[] {
  const lines = readFileSync(join(home, "docs/faults.md"), "utf8").matchAll(
    /^\| (T\d+b?) +\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm,
  );
  return [...lines].map(([, id, fault, required, tests]) => ({
    id: id!,
    fault: fault!,
    required: required!,
    tests: [...tests!.matchAll(/`(.+?)`/g)].map(([, path]) => path!),
  }));
}

/**
 * Returns a table with the required and measured values of every fault. `reports`: measurements of
 * the tests, one JSON object per line.
 */
export function formatFaultTable(faults: readonly Fault[], reports: string): string {
  const measured = reports
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Report);
  const lines = faults.flatMap(({ id, fault, required, tests }) => {
    const own = measured.filter((report) => report.id === id);
    const elsewhere = tests.length === 0 ? "not run" : `no number: ${tests.join(", ")}`;
    const results = own.length > 0 ? own.map(formatReport) : [elsewhere];
    return [`${id}  ${fault}`, `      required: ${required}`, ...results.map((result) => `      ${result}`)];
  });
  return `${lines.join("\n")}\n`;
}

function formatReport({ measured, db }: Report): string {
  const numbers =
    typeof measured === "object"
      ? Object.entries(measured)
          .map(([name, number]) => `${name}: ${number}`)
          .join("; ")
      : String(measured);
  return `measured on ${db === "sqlite" ? "SQLite" : "PostgreSQL"}: ${numbers}`;
}
