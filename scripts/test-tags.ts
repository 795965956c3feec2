/** The tags that tests may have. Vitest refuses any other one. */
export const testTags = {
  postgres: "depends on the database, so it runs on SQLite and on PostgreSQL",
  "postgres-only": "runs only on PostgreSQL, e.g. because only there several instances run",
  "sqlite-only": "runs only on SQLite",
  nightly: "needs many seconds, so `npm test` leaves it out",
} as const;

export type TestTag = keyof typeof testTags;

/** A selection of tests by their tags. */
export interface TagSelection {
  /** Leaves out tests with none of these tags. */
  readonly onlyTags?: readonly TestTag[];
  /** Leaves out tests with any of these tags. */
  readonly exceptTags?: readonly TestTag[];
}

/** Returns the selection as the expressions that Vitest filters tests by. A test must match all of them. */
export function toTagsFilter({ onlyTags = [], exceptTags = [] }: TagSelection): string[] {
  return [...(onlyTags.length > 0 ? [onlyTags.join(" or ")] : []), ...exceptTags.map((tag) => `!${tag}`)];
}

/** Returns `true` if the selection contains a test with these tags. */
export function isSelected(tags: readonly string[], { onlyTags, exceptTags = [] }: TagSelection): boolean {
  return (onlyTags?.some((tag) => tags.includes(tag)) ?? true) && !exceptTags.some((tag) => tags.includes(tag));
}

/** A test of the report. */
export interface TestRecord {
  /** Name of the project. */
  readonly project: string;
  /** Path of the file and names of the suites and the test. */
  readonly id: string;
  readonly tags: readonly string[];
  /** `false` if it was filtered out or skipped. */
  readonly hasRun: boolean;
}

/** Returns the ids of the tests that should have run on PostgreSQL and did not. */
export function listLostOnPostgres(tests: readonly TestRecord[]): string[] {
  const ran = new Set(tests.filter((test) => isOnPostgres(test.project) && test.hasRun).map(({ id }) => id));
  return tests
    .filter(({ project, tags, hasRun }) => {
      if (project !== "server (sqlite)") return false;
      return tags.includes("postgres-only") || (tags.includes("postgres") && hasRun);
    })
    .map(({ id }) => id)
    .filter((id) => !ran.has(id));
}

/** Returns `true` for the project with the tagged server tests, and for the nightly one with all of them. */
const isOnPostgres = (project: string): boolean => /^server \(.*postgres\)$/.test(project);
