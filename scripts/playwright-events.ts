import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

import type { FullConfig, Reporter, Suite, TestCase, TestError, TestResult } from "@playwright/test/reporter";

import { home } from "./prepare.js";

/** A message from Playwright's process to ours, one JSON document per line. */
export type PlaywrightEvent =
  | { readonly type: "begin"; readonly files: number }
  | { readonly type: "file" }
  | { readonly type: "pass" }
  | { readonly type: "fail" | "skip"; readonly name: string; readonly reason: string };

/** Prints the outcome of each test for scripts/playwright.ts. */
// oxlint-disable-next-line import/no-default-export -- Playwright expects it
export default class EventReporter implements Reporter {
  /** Number of tests per file that have not ended. */
  readonly #waiting = new Map<string, number>();
  #suite!: Suite;

  onBegin(_: FullConfig, suite: Suite): void {
    this.#suite = suite;
    for (const { location } of suite.allTests())
      this.#waiting.set(location.file, (this.#waiting.get(location.file) ?? 0) + 1);
    send({ type: "begin", files: this.#waiting.size });
  }

  onTestEnd(test: TestCase, { status, errors }: TestResult): void {
    const name = nameOf(test);
    if (status === "skipped") {
      // A test that did not run is reported at the end.
      if (test.expectedStatus === "skipped")
        send({ type: "skip", name, reason: test.annotations[0]?.description ?? "no reason is given" });
    } else if (test.ok()) send({ type: "pass" });
    else
      send({
        type: "fail",
        name,
        reason: errors.map(describe).join("\n") || `${status}, expected ${test.expectedStatus}`,
      });
    const waiting = this.#waiting.get(test.location.file)! - 1;
    this.#waiting.set(test.location.file, waiting);
    if (waiting === 0) send({ type: "file" });
  }

  onError(error: TestError): void {
    send({ type: "fail", name: "outside of any test", reason: describe(error) });
  }

  onEnd(): void {
    for (const test of this.#suite.allTests()) {
      const isSkipped = test.expectedStatus === "skipped";
      if (!isSkipped && test.results.every(({ status }) => status === "skipped"))
        send({ type: "fail", name: nameOf(test), reason: "did not run" });
    }
  }

  /** Lets Playwright print nothing else. */
  printsToStdio(): boolean {
    return true;
  }
}

function nameOf(test: TestCase): string {
  const [, project, , ...titles] = test.titlePath();
  return `${relative(home, test.location.file)} > ${titles.join(" > ")} (${project})`;
}

/** Returns an error's message, with the difference between expected and received values, and the line of the test. */
function describe({ message = "", location, value }: TestError): string {
  const where = location ? `at ${relative(home, location.file)}:${location.line}` : "";
  return stripVTControlCharacters([message || value, where].filter(Boolean).join("\n"));
}

function send(event: PlaywrightEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}
