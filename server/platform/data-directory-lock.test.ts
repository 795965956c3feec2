import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

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

test("a server that was killed holds no lock", async () => {
  const source = `import { lockDataDirectory } from ${JSON.stringify(join(import.meta.dirname, "data-directory-lock.ts"))};
    // Kept in a variable: a lock that is garbage-collected is released.
    globalThis.release = lockDataDirectory({ dataDir: ${JSON.stringify(dataDir)}, databaseUrl: null }); console.log("mine"); setInterval(() => {}, 1000);`;
  const first = spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(first, "exit");
  try {
    await once(first.stdout, "data");
    expect(() => lockDataDirectory({ dataDir, databaseUrl: null })).toThrow(DataDirectoryLockedError);
  } finally {
    first.kill("SIGKILL");
    await ended;
  }
  lockDataDirectory({ dataDir, databaseUrl: null })();
});

test("on PostgreSQL any number of servers may run", () => {
  lockDataDirectory({ dataDir, databaseUrl: "postgres://localhost/x" });
  lockDataDirectory({ dataDir, databaseUrl: "postgres://localhost/x" })();
});
