import { parseArgs } from "node:util";

import { runChecks } from "./checks.ts";
import { runPlaywright } from "./playwright.ts";
import { startPostgres } from "./postgres.ts";
import { refreshWeb } from "./prepare.js";
import { createResults, printSummary, reportFailure, showProgress } from "./results.ts";
import { ensureInstalled, postgres } from "./system-programs.ts";
import { filesOf, runnerOf, type TestProject, type TestProjectName, testProjects } from "./test-projects.ts";
import { runVitest } from "./vitest.ts";

interface TestRun {
  readonly projects: readonly TestProjectName[];
  /**
   * `true` to check types, lint, format and dead code beside the tests. The checks are skipped if
   * `args` names files.
   */
  readonly withChecks?: boolean;
  /** Command line arguments `FILE… [-t NAME]`: parts of test paths, and a pattern of test names. */
  readonly args: readonly string[];
}

/** `true` to also run the tests with the tag `nightly`. */
export const withNightly = process.env["NIGHTLY"] === "1";

/**
 * Installs the programs and builds the pages that the selected tests need, runs these tests, and
 * returns the exit code.
 */
export async function runTests({ projects, withChecks = false, args }: TestRun): Promise<number> {
  const { values, positionals: files } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { testNamePattern: { type: "string", short: "t" } },
  });
  const results = createResults();
  const endProgress = showProgress(results);
  const checks = withChecks && files.length === 0 ? runChecks(results) : undefined;
  for (const file of files)
    if (!projects.some((name) => hasFile(testProjects[name], [file])))
      reportFailure(results, file, explainMissing(file));
  const selected = projects.filter((name) => files.length === 0 || hasFile(testProjects[name], files));
  for (const name of selected) {
    const { programs = [], optionalPrograms = [] }: TestProject = testProjects[name];
    for (const program of programs) {
      if (!(await ensureInstalled(program))) reportFailure(results, name, `${program.package} is missing`);
    }
    for (const program of optionalPrograms) await ensureInstalled(program);
  }
  const needed: readonly TestProject[] = selected.map((name) => testProjects[name]);
  if (needed.some(({ needsPages }) => needsPages)) refreshWeb();
  const binary = needed.some(({ programs }) => programs?.includes(postgres)) && (await ensureInstalled(postgres));
  const server = binary ? await startPostgres(binary) : null;
  try {
    if (server) process.env["TEST_DATABASE_URL"] = server.url;
    const testName = values.testNamePattern;
    const runners = [["playwright", runPlaywright] as const, ["vitest", runVitest] as const].map(([runner, run]) => {
      const own = selected.filter((name) => runnerOf(name) === runner);
      return own.length > 0 && run(results, { projects: own, files, testName, withNightly });
    });
    await Promise.all([checks, ...runners]);
  } finally {
    server?.stop();
    endProgress();
  }
  return printSummary(results);
}

/** The projects that `npm test` leaves out, and the command `npm run test:NAME` that runs them. */
const separateProjects = [
  ["browsers", "browsers"],
  ["webkit", "browsers"],
  ["firefox", "browsers"],
  ["faults", "faults"],
  ["deployment", "deployment"],
  ["hosted", "hosted"],
] as const satisfies [TestProjectName, string][];

function explainMissing(file: string): string {
  const [, separate] = separateProjects.find(([name]) => hasFile(testProjects[name], [file])) ?? [];
  return separate ? `run it with npm run test:${separate} -- ${file}` : "no test file here has this in its path";
}

function hasFile(project: TestProject, files: readonly string[]): boolean {
  return filesOf(project).some((path) => files.some((file) => path.includes(file.replace(/^\.\//, ""))));
}
