import { expect, test } from "vitest";

import type { ImportReport } from "#contract/import.ts";
import { describeImport, describeProblem, describeRepetition, findImportFormat } from "./rules.ts";

test.each([
  ["Biere.CSV", "csv"],
  ["export.tsv", "csv"],
  ["data.db", "strichliste"],
  ["database.sqlite", "strichliste"],
  ["strichliste", "strichliste"],
])("findImportFormat detects the file %s as %s", (name, format) => expect(findImportFormat(name)).toBe(format));

const report: ImportReport = {
  imported: 3,
  known: 0,
  is_running: false,
  left_out: 0,
  first_at: "2019-12-24T17:30:00Z",
  last_at: "2019-12-31T23:30:00Z",
  names: [],
  articles: [],
  problems: [],
  problem_count: 0,
  repeated: [],
  repeated_count: 0,
};

test.each<[Partial<ImportReport>, string]>([
  [{}, "3 Biere vom 24. Dezember 2019 bis zum 1. Januar 2020."],
  [{ last_at: report.first_at, known: 1 }, "4 Biere vom 24. Dezember 2019. Davon schon importiert: 1 Bier."],
  [{ imported: 0, known: 3, last_at: report.first_at }, "3 Biere vom 24. Dezember 2019. Davon schon importiert: alle."],
  [{ first_at: null, last_at: null }, "Darin ist kein Bier, das sich buchen lässt."],
])("describeImport(%j) returns “%s”", (changes, text) =>
  expect(describeImport({ ...report, ...changes }, "Europe/Berlin")).toBe(text),
);

test("problems are located by line in CSV files and by booking in strichliste databases", () => {
  expect(describeProblem({ line: 4, problem: "name" }, "csv")).toBe("Zeile 4: Der Name fehlt oder ist zu lang.");
  expect(describeProblem({ line: null, problem: "encoding" }, "csv")).toContain("Das ist kein UTF-8.");
  expect(describeRepetition({ line: 9, first: 4 }, "strichliste")).toBe("Buchung 9 ist wie Buchung 4.");
});
