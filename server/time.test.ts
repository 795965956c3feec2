import { beforeEach, expect, test, vi } from "vitest";

import { every, minutes, seconds } from "./time.ts";

beforeEach(() => void vi.useFakeTimers());

test("every() runs the work once per interval until it is stopped", async () => {
  const work = vi.fn<() => void>();
  const stop = every(seconds(5), work, () => {});
  await vi.advanceTimersByTimeAsync(seconds(12));
  expect(work).toHaveBeenCalledTimes(2);
  stop();
  await vi.advanceTimersByTimeAsync(minutes(1));
  expect(work).toHaveBeenCalledTimes(2);
});

test("every() does not run the work again before the previous run has finished", async () => {
  const finish: (() => void)[] = [];
  every(
    seconds(1),
    () => new Promise<void>((resolve) => void finish.push(resolve)),
    () => {},
  );
  await vi.advanceTimersByTimeAsync(seconds(3));
  expect(finish).toHaveLength(1);
  finish[0]!();
  await vi.advanceTimersByTimeAsync(seconds(1));
  expect(finish).toHaveLength(2);
});

test("every() reports only the first of several failures in a row and keeps running the work", async () => {
  const onError = vi.fn<(error: unknown) => void>();
  const outcomes = ["fails", "fails", "works", "fails"];
  const work = async () => {
    if (outcomes.shift() === "fails") throw new Error("no disk");
  };
  every(seconds(1), work, onError);
  await vi.advanceTimersByTimeAsync(seconds(2));
  expect(onError).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(seconds(2));
  expect(onError).toHaveBeenCalledTimes(2);
});
