import { beforeEach, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { lockDataDirectory, DataDirectoryLockedError } from "./data-directory-lock.ts";

let dataDir: string;

beforeEach(() => {
  dataDir = createTemporaryFolder();
});

test("of two servers on one folder the second is refused until the first releases the lock", () => {
  const release = lockDataDirectory({ dataDir, databaseUrl: null });
  expect(() => lockDataDirectory({ dataDir, databaseUrl: null })).toThrow(DataDirectoryLockedError);
  expect(() => lockDataDirectory({ dataDir, databaseUrl: null })).toThrow(
    /DATA_DIR: another Stammtisch is already running/,
  );
  release();
  lockDataDirectory({ dataDir, databaseUrl: null })();
});

test.each(["/proc/stammtisch/data", "/dev/null/data", "/etc/passwd"])(
  "%s is refused as no writable folder",
  (nowhere) => {
    expect(() => lockDataDirectory({ dataDir: nowhere, databaseUrl: null })).toThrow(
      `${nowhere} is not a writable folder`,
    );
  },
);

test("on PostgreSQL any number of servers may run", () => {
  lockDataDirectory({ dataDir, databaseUrl: "postgres://localhost/x" });
  lockDataDirectory({ dataDir, databaseUrl: "postgres://localhost/x" })();
});
