// A test during which somebody complains on the console has not passed, whatever it asserts.
import { afterEach, beforeEach, expect, vi } from "vitest";

beforeEach(() => {
  vi.spyOn(console, "error");
  vi.spyOn(console, "warn");
});

afterEach(() => {
  for (const method of ["error", "warn"] as const) {
    const spy = vi.mocked(console[method]);
    const complaints = spy.mock.calls.map((call) => call.map(String).join(" "));
    spy.mockRestore();
    expect(complaints, `console.${method} was called`).toEqual([]);
  }
});
