import { beforeEach, expect, test, vi } from "vitest";

import { createFlashTimer } from "./flash-timer.ts";

beforeEach(() => void vi.useFakeTimers());

test("calls back once its time has passed", () => {
  const onEnd = vi.fn<() => void>();
  createFlashTimer(3000, onEnd).start();
  vi.advanceTimersByTime(2999);
  expect(onEnd).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onEnd).toHaveBeenCalledOnce();
});

test("stands still while pointer or focus hold it, and then runs what is left", () => {
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

test("a stopped one never calls back", () => {
  const onEnd = vi.fn<() => void>();
  const clock = createFlashTimer(3000, onEnd);
  clock.start();
  clock.stop();
  vi.advanceTimersByTime(10_000);
  expect(onEnd).not.toHaveBeenCalled();
});
