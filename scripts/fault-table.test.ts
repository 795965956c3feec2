import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { formatFaultTable, readFaults } from "./fault-table.ts";
import { home } from "./prepare.js";

const faults = readFaults();
const faultTests = globSync("test/faults/*.test.ts", { cwd: home });

test("every fault in docs/faults.md names existing test files, or says that it is not tested", () => {
  expect(faults.length).toBeGreaterThan(100);
  expect(faults.filter(({ id }, index) => faults.findIndex((other) => other.id === id) !== index)).toEqual([]);
  const missing = faults.flatMap(({ tests }) => tests.filter((path) => !existsSync(join(home, path))));
  expect(missing).toEqual([]);
  const silent = faults.filter(
    ({ tests, required }) => tests.length === 0 && !/\b(not|there is none)\b/.test(required),
  );
  expect(silent).toEqual([]);
});

test("every measurement has the id of a fault in docs/faults.md, whose row lists the measuring test file", () => {
  for (const file of faultTests) {
    for (const [, id] of readFileSync(join(home, file), "utf8").matchAll(/"(T\d{3}b?)"/g))
      expect(faults.find((fault) => fault.id === id)?.tests, `${id} in ${file}`).toContain(file);
  }
});

test("formatFaultTable prints for each fault the required values and, below them, the measured values", () => {
  const listed = [
    { id: "T001", fault: "kills", required: "lost 0", tests: ["a.test.ts"] },
    { id: "T002", fault: "keys", required: "one beer", tests: ["b.test.ts"] },
    { id: "T003", fault: "moon", required: "not here", tests: [] },
  ];
  const reports = JSON.stringify({ id: "T001", measured: { lost: 0, kills: 20 }, target: "", db: "postgres" });
  expect(formatFaultTable(listed, `${reports}\n`)).toBe(
    "T001  kills\n      required: lost 0\n      measured on PostgreSQL: lost: 0; kills: 20\n" +
      "T002  keys\n      required: one beer\n      no number: b.test.ts\n" +
      "T003  moon\n      required: not here\n      not run\n",
  );
});
