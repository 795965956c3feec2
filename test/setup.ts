// Runs before and after every test and every test file.
import { afterAll, afterEach, beforeEach, expect, onTestFinished, vi } from "vitest";

import { beginTest, endFile, endTest } from "./cleanup.ts";

beforeEach(() => {
  beginTest();
  onTestFinished(endTest);
  vi.spyOn(console, "error");
  vi.spyOn(console, "warn");
});

afterEach(() => {
  const messages = [console.error, console.warn].flatMap((method) =>
    vi.mocked(method).mock.calls.map((call) => call.join(" ")),
  );
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  // Fails the test if the tested code wrote errors or warnings to the console.
  expect(messages, "the console was written to").toEqual([]);
});

afterAll(endFile);
