import { beforeEach, expect, test, vi } from "vitest";

import { createPushQueue } from "./queue.ts";

const warnings: string[] = [];
const quiet = (): void => {};
const log = { debug: quiet, info: quiet, warn: (event: string) => void warnings.push(event), error: quiet };

beforeEach(() => {
  vi.useFakeTimers();
  warnings.length = 0;
});

/**
 * Creates a queue whose attempts all return `answer`, and records the time of each attempt in
 * seconds.
 */
function queueThatHears(answer: number | null) {
  const began = Date.now();
  const attempts: number[] = [];
  const givenUp: string[] = [];
  const queue = createPushQueue<string>({
    log,
    attempt: async () => {
      attempts.push((Date.now() - began) / 1000);
      return answer;
    },
    giveUp: async (job) => void givenUp.push(job),
  });
  return { queue, attempts, givenUp };
}

test("a failed push is retried three times with growing delays, and then dropped", async () => {
  const { queue, attempts, givenUp } = queueThatHears(0);
  queue.add("Prost");
  await vi.advanceTimersByTimeAsync(300_000);
  expect(attempts).toHaveLength(4);
  const pauses = attempts.slice(1).map((at, index) => at - attempts[index]!);
  for (const [index, seconds] of [2, 10, 60].entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(seconds);
    expect(pauses[index]).toBeLessThanOrEqual(seconds * 1.26);
  }
  expect(givenUp).toEqual(["Prost"]);
});

test("a push waits as long as the Retry-After header says, and is dropped if that exceeds one hour", async () => {
  const patient = queueThatHears(1800_000);
  patient.queue.add("Prost");
  await vi.advanceTimersByTimeAsync(1_799_000);
  expect(patient.attempts).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(2000);
  expect(patient.attempts).toHaveLength(2);

  const endless = queueThatHears(3601_000);
  endless.queue.add("Prost");
  await vi.advanceTimersByTimeAsync(7_200_000);
  expect([endless.attempts.length, endless.givenUp]).toEqual([1, ["Prost"]]);
});

test("at most 20 pushes are in flight and 1000 are pending; further pushes are dropped", async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  const queue = createPushQueue<number>({
    log,
    attempt: async (job) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 10));
      running--;
      done.push(job);
      return null;
    },
    giveUp: async () => {},
  });
  for (let job = 0; job < 1200; job++) queue.add(job);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([most, done.length]).toEqual([20, 1000]);
  expect(warnings).toContain("push-dropped");
  queue.add(1200);
  await vi.advanceTimersByTimeAsync(10);
  expect(done.at(-1)).toBe(1200);
});

test("a push whose attempt throws an unexpected error is dropped without an effect on other pushes", async () => {
  const done: string[] = [];
  const queue = createPushQueue<string>({
    log,
    attempt: async (job) => {
      if (job === "bad") throw new Error("no");
      done.push(job);
      return null;
    },
    giveUp: async () => {},
  });
  queue.add("bad");
  queue.add("good");
  await vi.advanceTimersByTimeAsync(1);
  expect([done, warnings]).toEqual([["good"], ["push-lost"]]);
  expect(await queue.close()).toEqual([]);
});

test("closing the push queue returns the jobs that are queued or wait for a retry", async () => {
  const { queue, attempts } = queueThatHears(0);
  queue.add("first");
  await vi.advanceTimersByTimeAsync(1);
  queue.add("second");
  expect(await queue.close()).toEqual(["first", "second"]);
  queue.add("third");
  await vi.advanceTimersByTimeAsync(100_000);
  expect(attempts).toHaveLength(2);
});
