import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

import { filesOf, type TestProjectName, testProjects } from "./scripts/test-projects.ts";

/** Server and browser tests share nothing but loaded modules, whose loading would take as long as the tests. */
const shared = { isolate: false };
const inBrowsers = { testTimeout: 120_000, hookTimeout: 120_000 };

const settings: Record<TestProjectName, TestProjectInlineConfiguration["test"]> = {
  repository: {},
  web: {},
  page: { ...shared, environment: "happy-dom", testTimeout: 60_000 },
  "server (sqlite)": { ...shared, env: { TEST_DATABASE: "sqlite" } },
  "server (postgres)": { ...shared, env: { TEST_DATABASE: "postgres" } },
  process: { ...shared, testTimeout: 120_000, hookTimeout: 120_000 },
  e2e: { ...shared, ...inBrowsers },
  browsers: { ...inBrowsers, fileParallelism: false },
  faults: { ...inBrowsers, fileParallelism: false, testTimeout: 300_000 },
  hosted: { fileParallelism: false, testTimeout: 120_000, hookTimeout: 120_000 },
  deployment: { fileParallelism: false, testTimeout: 1_200_000, hookTimeout: 1_200_000 },
};

export default defineConfig({
  test: {
    setupFiles: ["test/setup.ts"],
    testTimeout: 15_000,
    hookTimeout: 30_000,
    // Waiting ends with what is waited for: a slow machine is not a failure.
    expect: { poll: { timeout: 10_000 } },
    // One more than the smallest machine has cores: a test often waits for a browser or a server.
    maxWorkers: 3,
    projects: (Object.keys(testProjects) as TestProjectName[]).map((name) => ({
      extends: true,
      test: { name, include: filesOf(testProjects[name]), ...settings[name] },
    })),
  },
});
