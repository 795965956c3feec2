import { beforeEach, expect, test, vi } from "vitest";

import { createFlashTimer } from "./flash-timer.ts";

beforeEach(() => void vi.useFakeTimers());

test("a flash timer calls back once after its duration", () => {
  const onEnd = vi.fn<() => void>();
  createFlashTimer(3000, onEnd).start();
  vi.advanceTimersByTime(2999);
  expect(onEnd).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onEnd).toHaveBeenCalledOnce();
});

test("a flash timer is stopped while pointer or focus hold it, and then runs for the remaining time", () => {
  const onEnd = vi.fn<() => void>();
  const clock = createFlashTimer(3000, onEnd);
  clock.start();
  vi.advanceTimersByTime(1000);
  clock.hold("pointer");
  vi.advanceTimersByTime(10_000);
  clock.hold("focus");
  clock.release("pointer");
  vi.advanceTimersByTime(10_000);
  expect(onEnd).not.toHaveBeenCalled();
  clock.release("focus");
  vi.advanceTimersByTime(1999);
  expect(onEnd).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onEnd).toHaveBeenCalledOnce();
});

test("a stopped flash timer never calls back", () => {
  const onEnd = vi.fn<() => void>();
  const clock = createFlashTimer(3000, onEnd);
  clock.start();
  clock.stop();
  vi.advanceTimersByTime(10_000);
  expect(onEnd).not.toHaveBeenCalled();
});
