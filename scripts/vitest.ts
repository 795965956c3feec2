import { join, relative } from "node:path";

import { createVitest, type Reporter, type SerializedError, type TestCase, type TestModule } from "vitest/node";

import { home } from "./prepare.js";
import { reportFailure, reportSkip, type Results } from "./results.ts";
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
  const reporter: Reporter = {
    onTestRunStart(specifications) {
      results.files += specifications.length;
    },
    onTestModuleEnd(module) {
      results.filesDone += 1;
      tests.push(...count(module, results, selection));
    },
    onUserConsoleLog({ content }) {
      process.stdout.write(content);
    },
    onTestRunEnd(_, errors, reason) {
      for (const error of errors) reportFailure(results, "outside of any test", describe(error));
      if (reason === "interrupted") reportFailure(results, "tests", "interrupted");
    },
  };
  const vitest = await createVitest("test", {
    run: true,
    project: [...projects],
    reporters: [reporter],
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
    if (!(state === "skipped" && isLeftOut)) report(test, results);
  }
  for (const suite of [module, ...module.children.allSuites()]) {
    // Reports a failure outside of the tests, e.g. in a hook, because Vitest counts the tests of
    // that file or suite as skipped.
    for (const error of suite.errors())
      reportFailure(results, `${module.relativeModuleId}: outside of its tests`, describe(error));
  }
  return tests;
}

function report(test: TestCase, results: Results): void {
  const result = test.result();
  const name = `${test.module.relativeModuleId} > ${test.fullName} (${test.project.name})`;
  if (result.state === "passed") results.passed += 1;
  else if (result.state === "skipped") reportSkip(results, name, result.note);
  else reportFailure(results, name, (result.errors ?? []).map(describe).join("\n") || "did not end");
}

/** Returns an error's message, the difference between expected and received values, and the line of the test. */
function describe({ message, diff, stacks = [], stack }: SerializedError): string {
  const place = stacks.find(({ file }) => !file.includes("node_modules")) ?? stacks[0];
  const where = place ? `at ${relative(home, place.file)}:${place.line}` : (stack ?? "");
  return [message, diff, where].filter(Boolean).join("\n");
}
