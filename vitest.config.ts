import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

import { filesOf, runnerOf, type TestProjectName, testProjects } from "./scripts/test-projects.ts";
import { testTags } from "./scripts/test-tags.ts";

/**
 * Lets the test files of a worker share loaded modules, because loading them for each file would
 * take as long as the tests. The tests share no other state.
 */
const shared = { isolate: false };
const inBrowsers = { testTimeout: 120_000, hookTimeout: 120_000 };

const settings: Partial<Record<TestProjectName, TestProjectInlineConfiguration["test"]>> = {
  repository: shared,
  web: {},
  page: { ...shared, environment: "happy-dom", globalSetup: "test/page/build-app.ts", testTimeout: 60_000 },
  "server (sqlite)": { ...shared, env: { TEST_DATABASE: "sqlite" } },
  "server (postgres)": { ...shared, env: { TEST_DATABASE: "postgres" } },
  "server (all on postgres)": { ...shared, env: { TEST_DATABASE: "postgres" } },
  // One file at a time, because most of them measure; CI selects files that do not.
  faults: { ...inBrowsers, maxWorkers: Number(process.env["AT_ONCE"] ?? 1), testTimeout: 300_000 },
  hosted: { fileParallelism: false, testTimeout: 120_000, hookTimeout: 120_000 },
  deployment: { fileParallelism: false, testTimeout: 1_200_000, hookTimeout: 1_200_000 },
};

export default defineConfig({
  test: {
    setupFiles: ["test/setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Long, so that tests do not fail on a slow machine. Polling ends as soon as its condition is
    // met.
    expect: { poll: { timeout: 30_000 } },
    // One more than the cores of the smallest machine, because tests often wait for a browser or a
    // server.
    maxWorkers: 3,
    tags: Object.entries(testTags).map(([name, description]) => ({ name, description })),
    strictTags: true,
    // Shows the output of failed tests only.
    silent: "passed-only",
    projects: (Object.keys(testProjects) as TestProjectName[])
      .filter((name) => runnerOf(name) === "vitest")
      .map((name) => ({
        extends: true,
        test: { name, include: filesOf(testProjects[name]), ...settings[name] },
      })),
  },
});
