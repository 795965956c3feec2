import { beforeEach, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { lockDataDirectory, DataDirectoryLockedError } from "./data-directory-lock.ts";

let dataDir: string;

beforeEach(() => {
  dataDir = createTemporaryFolder();
});

test("a second server cannot lock a data directory until the first one releases it", () => {
  const release = lockDataDirectory({ dataDir, databaseUrl: null });
  expect(() => lockDataDirectory({ dataDir, databaseUrl: null })).toThrow(DataDirectoryLockedError);
  expect(() => lockDataDirectory({ dataDir, databaseUrl: null })).toThrow(
    /DATA_DIR: another Stammtisch is already running/,
  );
  release();
  lockDataDirectory({ dataDir, databaseUrl: null })();
});

test.each(["/proc/stammtisch/data", "/dev/null/data", "/etc/passwd"])(
  "lockDataDirectory refuses %s, which is not a writable folder",
  (nowhere) => {
    expect(() => lockDataDirectory({ dataDir: nowhere, databaseUrl: null })).toThrow(
      `${nowhere} is not a writable folder`,
    );
  },
);

test("several servers can lock the same data directory if they use PostgreSQL", () => {
  lockDataDirectory({ dataDir, databaseUrl: "postgres://localhost/x" });
  lockDataDirectory({ dataDir, databaseUrl: "postgres://localhost/x" })();
});
