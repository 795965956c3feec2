import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { start } from "./child-processes.ts";
import { home } from "./prepare.js";
import { reportFailure, type Results } from "./results.ts";
import type { TestSelection } from "./vitest.ts";

const outcomesFile = join(home, ".build/playwright/outcomes.json");

/** The part that we read of the file that Playwright's JSON reporter writes. */
interface Outcomes {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
  /** Errors outside of tests, e.g. in a file that cannot be loaded. */
  readonly errors: readonly { readonly message?: string }[];
}

/**
 * Runs the selected tests of playwright.config.ts and adds their outcomes to `results`. A run
 * without `files` in which no test is found counts as failed.
 */
export async function runPlaywright(
  results: Results,
  { projects, files = [], testName }: TestSelection,
): Promise<void> {
  mkdirSync(join(home, ".build/playwright"), { recursive: true });
  rmSync(outcomesFile, { force: true });
  const args = [
    join(home, "node_modules/@playwright/test/cli.js"),
    "test",
    ...projects.map((project) => `--project=${project}`),
    ...(testName === undefined ? [] : ["--grep", testName]),
    ...(files.length > 0 ? ["--pass-with-no-tests"] : []),
    // Playwright expects patterns of paths.
    ...files.map((file) => file.replace(/^\.\//, "").replaceAll(".", "\\.")),
  ];
  const env = {
    // Caches compiled code on disk, because many tests start many processes of the app.
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? join(home, "node_modules/.cache/node"),
    PLAYWRIGHT_JSON_OUTPUT_FILE: outcomesFile,
  };
  const child = start(process.execPath, args, { inheritOutput: true, env });
  const code = await new Promise<number>((resolve) => child.on("close", (exit) => resolve(exit ?? 1)));
  count(results, code);
}

function count(results: Results, code: number): void {
  let outcomes: Outcomes;
  try {
    outcomes = JSON.parse(readFileSync(outcomesFile, "utf8")) as Outcomes;
  } catch {
    return reportFailure(results, "Playwright", `ended with exit code ${code} and without results`);
  }
  const { expected, unexpected, flaky, skipped } = outcomes.stats;
  results.passed += expected;
  results.failed += unexpected + flaky;
  results.skipped += skipped;
  for (const { message = "" } of outcomes.errors) reportFailure(results, "Playwright", message.split("\n")[0]!);
  if (code !== 0 && unexpected + flaky + outcomes.errors.length === 0)
    reportFailure(results, "Playwright", `ended with exit code ${code}`);
}
