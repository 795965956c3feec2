import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { defineConfig } from "vitest/config";

const serverTests = ["test/contract.test.ts", ...globSync("server/**/*.test.ts", { cwd: import.meta.dirname })];

/** Whether a test has to do with a database: then it runs on both. */
function needsDatabase(file: string): boolean {
  return /createTestApp|createDatabase|TEST_DATABASE/.test(readFileSync(join(import.meta.dirname, file), "utf8"));
}

/** The server's tests run twice: on SQLite, and as far as they need one on the PostgreSQL that TEST_DATABASE_URL names. */
function serverProject(database: "sqlite" | "postgres") {
  return {
    extends: true as const,
    test: {
      name: `server (${database})`,
      include: database === "sqlite" ? serverTests : serverTests.filter(needsDatabase),
      env: { TEST_DATABASE: database },
      // A house shares nothing with the next one; loading the server anew for every file takes as long as its tests.
      isolate: false,
    },
  };
}

export default defineConfig({
  test: {
    setupFiles: ["test/no-console-errors.ts"],
    testTimeout: 15_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    projects: [
      serverProject("sqlite"),
      serverProject("postgres"),
      {
        extends: true,
        test: {
          name: "repository",
          include: ["contract/**/*.test.ts", "test/*.test.ts", "scripts/**/*.test.ts", "bench/**/*.test.ts"],
          exclude: ["test/contract.test.ts"],
        },
      },
      {
        extends: true,
        test: { name: "web", include: ["web/**/*.test.ts", "web/**/*.test.tsx", "test/page/*.test.ts"] },
      },
      {
        extends: true,
        test: {
          name: "process",
          include: ["test/process/**/*.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          // The browser stays open from file to file.
          isolate: false,
          // A journey of several screens meets the machine in a bad moment now and then; the report names those that did.
          retry: 1,
          testTimeout: 60_000,
          expect: { poll: { timeout: 10_000 } },
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "engines",
          include: ["test/engines/**/*.test.ts"],
          testTimeout: 60_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: "deployment",
          include: ["test/deployment/**/*.test.ts"],
          fileParallelism: false,
          testTimeout: 1_200_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: "faults",
          include: ["test/faults/**/*.test.ts"],
          fileParallelism: false,
          expect: { poll: { timeout: 10_000 } },
          testTimeout: 300_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
