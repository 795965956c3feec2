import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { claimDataDir, DataDirTakenError } from "./claim.ts";

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "claim-"));
});

afterEach(() => rmSync(dataDir, { recursive: true }));

test("of two servers on one folder the second is refused, until the first lets go", () => {
  const release = claimDataDir({ dataDir, databaseUrl: null });
  expect(() => claimDataDir({ dataDir, databaseUrl: null })).toThrow(DataDirTakenError);
  expect(() => claimDataDir({ dataDir, databaseUrl: null })).toThrow(/DATA_DIR: another Stammtisch is already running/);
  release();
  claimDataDir({ dataDir, databaseUrl: null })();
});

test("a server that was killed holds nothing", async () => {
  const source = `import { claimDataDir } from ${JSON.stringify(join(import.meta.dirname, "claim.ts"))};
    // Kept, as the server keeps it: what is swept up as garbage lets go.
    globalThis.release = claimDataDir({ dataDir: ${JSON.stringify(dataDir)}, databaseUrl: null }); console.log("mine"); setInterval(() => {}, 1000);`;
  const first = spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(first, "exit");
  try {
    await once(first.stdout, "data");
    expect(() => claimDataDir({ dataDir, databaseUrl: null })).toThrow(DataDirTakenError);
  } finally {
    first.kill("SIGKILL");
    await ended;
  }
  claimDataDir({ dataDir, databaseUrl: null })();
});

test("on PostgreSQL any number of servers may run", () => {
  claimDataDir({ dataDir, databaseUrl: "postgres://localhost/x" });
  claimDataDir({ dataDir, databaseUrl: "postgres://localhost/x" })();
});
