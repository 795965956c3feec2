import { beforeEach, expect, test, vi } from "vitest";

import { createFlashTimer } from "./flash-timer.ts";

beforeEach(() => void vi.useFakeTimers());

test("rings once its time has run", () => {
  const ring = vi.fn<() => void>();
  createFlashTimer(3000, ring).start();
  vi.advanceTimersByTime(2999);
  expect(ring).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(ring).toHaveBeenCalledOnce();
});

test("stands still while pointer or focus hold it, and then runs what is left", () => {
  const ring = vi.fn<() => void>();
  const clock = createFlashTimer(3000, ring);
  clock.start();
  vi.advanceTimersByTime(1000);
  clock.hold("pointer");
  vi.advanceTimersByTime(10_000);
  clock.hold("focus");
  clock.release("pointer");
  vi.advanceTimersByTime(10_000);
  expect(ring).not.toHaveBeenCalled();
  clock.release("focus");
  vi.advanceTimersByTime(1999);
  expect(ring).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(ring).toHaveBeenCalledOnce();
});

test("a stopped one never rings", () => {
  const ring = vi.fn<() => void>();
  const clock = createFlashTimer(3000, ring);
  clock.start();
  clock.stop();
  vi.advanceTimersByTime(10_000);
  expect(ring).not.toHaveBeenCalled();
});
