// What happens around every test and every test file.
import { afterAll, afterEach, beforeEach, expect, vi } from "vitest";

import { endWithFile } from "./cleanup.ts";

beforeEach(() => {
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
  // A test during which something is written to the console has not passed, whatever it asserts.
  expect(messages, "the console was written to").toEqual([]);
});

afterAll(endWithFile);
