import { beforeEach, describe, expect, test, vi } from "vitest";

import { throttle } from "./throttle.ts";

describe("throttle", () => {
  beforeEach(() => void vi.useFakeTimers());

  test("throttle turns a burst of calls into one run at once and one run afterwards", async () => {
    const work = vi.fn(() => new Promise((resolve) => setTimeout(resolve, 200)));
    const load = throttle(work, 500);
    for (let calls = 0; calls < 20; calls += 1) load();
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(499);
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(5000);
    expect(work).toHaveBeenCalledTimes(2);
    load();
    expect(work).toHaveBeenCalledTimes(3);
  });

  test("throttle runs again after a failed run", async () => {
    const work = vi.fn(() => Promise.reject(new Error("offline")));
    const load = throttle(work, 100);
    load();
    load();
    await vi.advanceTimersByTimeAsync(1000);
    expect(work).toHaveBeenCalledTimes(2);
  });
});
