import { expect, test } from "vitest";

import { isSelected, listLostOnPostgres, type TestRecord, toTagsFilter } from "./test-tags.ts";

const onSqlite = { project: "server (sqlite)", hasRun: true };
const onPostgres = { project: "server (postgres)", hasRun: true };

test.each<[string, TestRecord[], string[]]>([
  [
    "ran on both databases",
    [
      { ...onSqlite, id: "a", tags: ["postgres"] },
      { ...onPostgres, id: "a", tags: ["postgres"] },
    ],
    [],
  ],
  [
    "ran with all others on PostgreSQL",
    [
      { ...onSqlite, id: "a", tags: ["postgres"] },
      { ...onPostgres, project: "server (all on postgres)", id: "a", tags: ["postgres"] },
    ],
    [],
  ],
  ["is missing on PostgreSQL", [{ ...onSqlite, id: "a", tags: ["postgres"] }], ["a"]],
  [
    "was left out on PostgreSQL",
    [
      { ...onSqlite, id: "a", tags: ["postgres"] },
      { ...onPostgres, id: "a", tags: ["postgres"], hasRun: false },
    ],
    ["a"],
  ],
  [
    "has a namesake on PostgreSQL",
    [
      { ...onSqlite, id: "file.test.ts > a", tags: ["postgres"] },
      { ...onPostgres, id: "other.test.ts > a", tags: ["postgres"] },
    ],
    ["file.test.ts > a"],
  ],
  ["runs only on PostgreSQL and did not", [{ ...onSqlite, id: "a", tags: ["postgres-only"], hasRun: false }], ["a"]],
  ["needs no PostgreSQL", [{ ...onSqlite, id: "a", tags: [] }], []],
  ["was skipped on both databases", [{ ...onSqlite, id: "a", tags: ["postgres"], hasRun: false }], []],
  ["belongs to another project", [{ project: "web", id: "a", tags: ["postgres"], hasRun: true }], []],
])("a test run fails for a test tagged postgres exactly if PostgreSQL lost it: one that %s", (_, tests, lost) => {
  expect(listLostOnPostgres(tests)).toEqual(lost);
});

test("a selection keeps the tests with one of its tags and without the excepted ones", () => {
  const selection = { onlyTags: ["postgres", "postgres-only"], exceptTags: ["nightly"] } as const;
  expect(toTagsFilter(selection)).toEqual(["postgres or postgres-only", "!nightly"]);
  expect(
    [["postgres"], ["postgres-only", "sqlite-only"], ["postgres", "nightly"], []].map((tags) =>
      isSelected(tags, selection),
    ),
  ).toEqual([true, true, false, false]);
  expect(toTagsFilter({})).toEqual([]);
  expect(isSelected([], {})).toBe(true);
});
