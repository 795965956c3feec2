import { join } from "node:path";

import { startVitest, type Reporter, type TestModule } from "vitest/node";

import { home } from "./prepare.js";
import { reportFailure, type Results } from "./results.ts";

export interface TestSelection {
  /** Names of projects in vitest.config.ts. */
  readonly projects: readonly string[];
  /**
   * Parts of test paths. If empty, all tests of the projects run, and a project without tests
   * counts as failed.
   */
  readonly files?: readonly string[];
  readonly testName?: string | undefined;
}

/** Runs the selected tests and adds their outcomes to `results`. */
export async function runVitest(results: Results, { projects, files = [], testName }: TestSelection): Promise<void> {
  // Caches compiled code on disk, because many tests start many processes of the app.
  process.env["NODE_COMPILE_CACHE"] ??= join(home, "node_modules/.cache/node");
  const counts = new Map<string, number>(projects.map((project) => [project, 0]));
  const counter: Reporter = {
    onTestRunEnd(modules, errors, reason) {
      for (const module of modules) count(module, results, counts);
      if (errors.length > 0) reportFailure(results, "tests", `${errors.length} errors outside of any test`);
      if (reason === "interrupted") reportFailure(results, "tests", "interrupted");
    },
  };
  const vitest = await startVitest("test", [...files], {
    run: true,
    project: [...projects],
    passWithNoTests: true,
    reporters: ["default", counter],
    ...(testName !== undefined && { testNamePattern: testName }),
  });
  await vitest.close();
  if (files.length > 0) return;
  for (const [project, tests] of counts) if (tests === 0) reportFailure(results, project, "has no tests");
}

function count(module: TestModule, results: Results, counts: Map<string, number>): void {
  let tests = 0;
  for (const test of module.children.allTests()) {
    tests += 1;
    results[test.result().state === "pending" ? "failed" : (test.result().state as keyof Results)] += 1;
  }
  for (const suite of [module, ...module.children.allSuites()]) {
    // Reports a failure outside of the tests, e.g. in a hook, because Vitest counts the tests of
    // that file or suite as skipped.
    if (suite.errors().length > 0) reportFailure(results, module.relativeModuleId, "failed outside of its tests");
  }
  counts.set(module.project.name, (counts.get(module.project.name) ?? 0) + tests);
}
