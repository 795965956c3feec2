import { join } from "node:path";
import { createInterface } from "node:readline";

import { start } from "./child-processes.ts";
import type { PlaywrightEvent } from "./playwright-events.ts";
import { home } from "./prepare.js";
import { reportFailure, reportSkip, type Results } from "./results.ts";
import type { TestSelection } from "./vitest.ts";

/** Runs the selected tests of playwright.config.ts and adds their outcomes to `results`. */
export async function runPlaywright(results: Results, selection: TestSelection): Promise<void> {
  const { projects, files = [], testName, withNightly = false } = selection;
  const args = [
    join(home, "node_modules/@playwright/test/cli.js"),
    "test",
    ...projects.map((project) => `--project=${project}`),
    ...(testName === undefined ? [] : ["--grep", testName, "--pass-with-no-tests"]),
    ...(withNightly ? [] : ["--grep-invert", "@nightly"]),
    // Playwright expects patterns of paths.
    ...files.map((file) => file.replace(/^\.\//, "").replaceAll(".", "\\.")),
  ];
  const env = {
    // Caches compiled code on disk, because many tests start many processes of the app.
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? join(home, "node_modules/.cache/node"),
    PLAYWRIGHT_EVENTS: "1",
  };
  const failedBefore = results.failed;
  const child = start(process.execPath, args, { env });
  child.stderr!.pipe(process.stderr, { end: false });
  createInterface(child.stdout!).on("line", (line) => {
    if (line.startsWith("{")) apply(JSON.parse(line) as PlaywrightEvent, results);
    else process.stdout.write(`${line}\n`);
  });
  const code = await new Promise<number>((resolve) => child.on("close", (exit) => resolve(exit ?? 1)));
  if (code !== 0 && results.failed === failedBefore)
    reportFailure(results, "Playwright", `ended with exit code ${code}`);
}

function apply(event: PlaywrightEvent, results: Results): void {
  if (event.type === "begin") results.files += event.files;
  else if (event.type === "file") results.filesDone += 1;
  else if (event.type === "pass") results.passed += 1;
  else if (event.type === "skip") reportSkip(results, event.name, event.reason);
  else reportFailure(results, event.name, event.reason);
}
