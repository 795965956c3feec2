import { beforeEach, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { lockDataDirectory, DataDirectoryLockedError } from "./data-directory-lock.ts";

let dataDir: string;

beforeEach(() => {
  dataDir = createTemporaryFolder();
});

test("refuses a second server on one folder until the first releases the lock", () => {
  const release = lockDataDirectory({ dataDir, databaseUrl: null });
  expect(() => lockDataDirectory({ dataDir, databaseUrl: null })).toThrow(DataDirectoryLockedError);
  expect(() => lockDataDirectory({ dataDir, databaseUrl: null })).toThrow(
    /DATA_DIR: another Stammtisch is already running/,
  );
  release();
  lockDataDirectory({ dataDir, databaseUrl: null })();
});

test.each(["/proc/stammtisch/data", "/dev/null/data", "/etc/passwd"])(
  "refuses %s because it is not a writable folder",
  (nowhere) => {
    expect(() => lockDataDirectory({ dataDir: nowhere, databaseUrl: null })).toThrow(
      `${nowhere} is not a writable folder`,
    );
  },
);

test("any number of servers may run with PostgreSQL", () => {
  lockDataDirectory({ dataDir, databaseUrl: "postgres://localhost/x" });
  lockDataDirectory({ dataDir, databaseUrl: "postgres://localhost/x" })();
});
