import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startVitest, type Reporter, type TestModule } from "vitest/node";

import { reportFailure, type Results } from "./results.ts";

/** Runs the tests of some projects of vitest.config.ts and adds them to the tally. A project without any test has failed. */
export async function runTests(
  tally: Results,
  projects: readonly string[],
  filters: readonly string[] = [],
): Promise<void> {
  // Many tests start many programs of ours: each finds what the one before it has compiled.
  process.env["NODE_COMPILE_CACHE"] ??= mkdtempSync(join(tmpdir(), "compiled-"));
  const counts = new Map<string, number>(projects.map((project) => [project, 0]));
  const counter: Reporter = {
    onTestRunEnd(modules, errors, reason) {
      for (const module of modules) count(module, tally, counts);
      if (errors.length > 0) reportFailure(tally, "tests", `${errors.length} errors outside of any test`);
      if (reason === "interrupted") reportFailure(tally, "tests", "interrupted");
    },
  };
  const vitest = await startVitest("test", [...filters], {
    run: true,
    project: [...projects],
    passWithNoTests: true,
    reporters: ["default", counter],
  });
  await vitest.close();
  if (filters.length > 0) return;
  for (const [project, tests] of counts) if (tests === 0) reportFailure(tally, project, "has no tests");
}

function count(module: TestModule, tally: Results, counts: Map<string, number>): void {
  let tests = 0;
  for (const test of module.children.allTests()) {
    tests += 1;
    tally[test.result().state === "pending" ? "failed" : (test.result().state as keyof Results)] += 1;
  }
  const hasFailedAsAWhole = module.state() === "failed" && module.errors().length > 0;
  if (hasFailedAsAWhole) reportFailure(tally, module.relativeModuleId, "failed outside of its tests");
  counts.set(module.project.name, (counts.get(module.project.name) ?? 0) + tests);
}
