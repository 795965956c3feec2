import { join } from "node:path";

import { createVitest, type Reporter, type TestModule } from "vitest/node";

import { home } from "./prepare.js";
import { reportFailure, type Results } from "./results.ts";
import { type TestProject, type TestProjectName, testProjects } from "./test-projects.ts";
import { isSelected, listLostOnPostgres, type TagSelection, type TestRecord, toTagsFilter } from "./test-tags.ts";

export interface TestSelection {
  readonly projects: readonly TestProjectName[];
  /**
   * Parts of test paths. If empty, all tests of the projects run, and a project without tests
   * counts as failed.
   */
  readonly files?: readonly string[];
  readonly testName?: string | undefined;
  /** `true` to also run the tests with the tag `nightly`. */
  readonly withNightly?: boolean;
}

/** Runs the selected tests and adds their outcomes to `results`. */
export async function runVitest(results: Results, selection: TestSelection): Promise<void> {
  const { projects, files = [], testName } = selection;
  // Caches compiled code on disk, because many tests start many processes of the app.
  process.env["NODE_COMPILE_CACHE"] ??= join(home, "node_modules/.cache/node");
  const tests: TestRecord[] = [];
  const counter: Reporter = {
    onTestRunEnd(modules, errors, reason) {
      for (const module of modules) tests.push(...count(module, results, selection));
      if (errors.length > 0) reportFailure(results, "tests", `${errors.length} errors outside of any test`);
      if (reason === "interrupted") reportFailure(results, "tests", "interrupted");
    },
  };
  const vitest = await createVitest("test", {
    run: true,
    project: [...projects],
    reporters: ["default", counter],
    ...(testName !== undefined && { testNamePattern: testName }),
  });
  try {
    await vitest.standalone();
    const specifications = await vitest.globTestSpecifications([...files]);
    for (const specification of specifications)
      specification.testTagsFilter = toTagsFilter(tagsOf(specification.project.name, selection));
    if (specifications.length > 0) await vitest.runTestSpecifications(specifications, true);
  } finally {
    await vitest.close();
  }
  if (testName !== undefined) return;
  const lost = listLostOnPostgres(tests);
  if (lost.length > 0)
    reportFailure(results, "server (postgres)", ["did not run these tests:", ...lost].join("\n    "));
  if (files.length > 0) return;
  for (const project of projects)
    if (!tests.some((test) => test.project === project)) reportFailure(results, project, "has no tests");
}

function tagsOf(project: string, { withNightly = false }: TestSelection): TagSelection {
  const { onlyTags, exceptTags = [] }: TestProject = testProjects[project as TestProjectName];
  return { ...(onlyTags && { onlyTags }), exceptTags: withNightly ? exceptTags : [...exceptTags, "nightly"] };
}

/** Adds the outcomes of a file's tests to `results`, without those that the selection leaves out. Returns all of its tests. */
function count(module: TestModule, results: Results, selection: TestSelection): TestRecord[] {
  const tags = tagsOf(module.project.name, selection);
  const name = selection.testName === undefined ? undefined : new RegExp(selection.testName);
  const tests: TestRecord[] = [];
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    tests.push({
      project: module.project.name,
      id: `${module.relativeModuleId} > ${test.fullName}`,
      tags: test.tags,
      hasRun: state === "passed" || state === "failed",
    });
    const isLeftOut = !isSelected(test.tags, tags) || name?.test(test.fullName.replaceAll(" > ", " ")) === false;
    if (state === "skipped" && isLeftOut) continue;
    results[state === "pending" ? "failed" : state] += 1;
  }
  for (const suite of [module, ...module.children.allSuites()]) {
    // Reports a failure outside of the tests, e.g. in a hook, because Vitest counts the tests of
    // that file or suite as skipped.
    if (suite.errors().length > 0) reportFailure(results, module.relativeModuleId, "failed outside of its tests");
  }
  return tests;
}
