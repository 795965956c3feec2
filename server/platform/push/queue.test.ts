import { beforeEach, expect, test } from "vitest";

import { inTransaction } from "#server/db/connect.ts";
import { minutes, seconds } from "#server/time.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import type { PushJob } from "./job.ts";
import { claimPushes, createPushes } from "./push-store.ts";
import { createPushQueue } from "./queue.ts";

let app: TestApp;
let warnings: string[];

beforeEach(async () => {
  app = await createTestApp();
  warnings = [];
});

/** A push to the subscription with this id. */
const pushTo = (subscriptionId: number, tag: string | null = null, payload = "{}"): PushJob => ({
  subscriptionId,
  payload,
  topic: "beer",
  tag,
  permission: null,
  expiresAt: app.clock.now() + minutes(60),
});

/** Opens a queue on the database of the app, like that of another instance. */
function openQueue(attempt: (job: PushJob) => Promise<number | null>) {
  const givenUp: number[] = [];
  const ignore = (): void => {};
  // The queues of earlier tests must not add to the warnings of later ones.
  const own = warnings;
  const queue = createPushQueue({
    db: app.db,
    isPostgres: app.config.databaseUrl !== null,
    clock: app.clock,
    log: { debug: ignore, info: ignore, warn: (event) => void own.push(event), error: ignore },
    attempt,
    giveUp: async ({ subscriptionId }) => void givenUp.push(subscriptionId),
  });
  return { queue, givenUp };
}

/** Adds a push to an unused subscription, which makes the queue look for due pushes. */
const wake = (queue: ReturnType<typeof openQueue>["queue"]) => queue.add(app.db, [pushTo(0)]);

test("a failed push is retried three times with growing delays, and then dropped", async () => {
  let attempts = 0;
  const { queue, givenUp } = openQueue(async ({ subscriptionId }) => {
    if (subscriptionId === 0) return null;
    attempts += 1;
    return 0;
  });
  await queue.add(app.db, [pushTo(1)]);
  for (const [index, wait] of [2, 10, 60].entries()) {
    await expect.poll(() => attempts).toBe(index + 1);
    await expect.poll(() => queue.size()).toBe(1);
    app.clock.time += seconds(wait) - 1;
    await wake(queue);
    await expect.poll(() => queue.size()).toBe(1);
    expect(attempts).toBe(index + 1);
    app.clock.time += seconds(wait) / 2;
    await wake(queue);
  }
  await expect.poll(() => givenUp).toEqual([1]);
  await expect.poll(() => queue.size()).toBe(0);
  expect(attempts).toBe(4);
});

test("a failed push is retried after the time in the Retry-After header, and dropped if that time exceeds one hour", async () => {
  const waits = [minutes(30), minutes(61)];
  const { queue, givenUp } = openQueue(async ({ subscriptionId }) => (subscriptionId === 0 ? null : waits.shift()!));
  await queue.add(app.db, [pushTo(1)]);
  await expect.poll(() => waits).toHaveLength(1);
  app.clock.time += minutes(29);
  await wake(queue);
  await expect.poll(() => queue.size()).toBe(1);
  expect(waits).toHaveLength(1);
  app.clock.time += minutes(1);
  await wake(queue);
  await expect.poll(() => givenUp).toEqual([1]);
});

test(
  "a new push replaces earlier pushes with the same tag and subscription; an earlier one that is being sent is not retried",
  { tags: "postgres" },
  async () => {
    const sent: string[] = [];
    const held = Promise.withResolvers<number | null>();
    const { queue, givenUp } = openQueue(async ({ subscriptionId, payload }) => {
      if (subscriptionId === 0) return null;
      sent.push(payload);
      return payload === "one" ? held.promise : null;
    });
    const add = (...payloads: string[]) =>
      inTransaction(app.db, async (tx) => {
        for (const payload of payloads) await queue.add(tx, [pushTo(1, "beercounter", payload)]);
      });
    await add("one");
    await expect.poll(() => sent).toEqual(["one"]);
    await add("two", "three");
    await expect.poll(() => sent).toEqual(["one", "three"]);
    held.resolve(0);
    await expect.poll(() => queue.size()).toBe(0);
    await queue.add(app.db, [pushTo(1, "party 7", "four"), pushTo(1, "party 8", "five"), pushTo(2, "party 8", "six")]);
    await expect.poll(() => sent).toEqual(["one", "three", "four", "five", "six"]);
    expect(givenUp).toEqual([]);
  },
);

test("while a push service does not answer, the queue holds at most one push per tag and subscription", async () => {
  const { queue } = openQueue(async () => 0);
  const subscriptions = Array.from({ length: 600 }, (_, index) => index + 1);
  for (let sender = 0; sender < 5; sender += 1) {
    for (const tag of ["beercounter", "game-servers"]) {
      const pushes = subscriptions.map((subscription) => pushTo(subscription, tag));
      await inTransaction(app.db, (tx) => queue.add(tx, pushes));
    }
  }
  expect(await queue.size()).toBe(1200);
});

test(
  "2,000 pushes are all sent, at most 20 at a time, and each by only one of two instances",
  { tags: "postgres" },
  async () => {
    const sent: number[] = [];
    const running = [0, 0];
    const most = [0, 0];
    const queues = running.map((_, index) =>
      openQueue(async ({ subscriptionId }) => {
        running[index]! += 1;
        most[index] = Math.max(most[index]!, running[index]!);
        await new Promise((resolve) => setImmediate(resolve));
        running[index]! -= 1;
        sent.push(subscriptionId);
        return null;
      }),
    );
    const jobs = Array.from({ length: 1000 }, (_, index) => pushTo(index));
    await Promise.all(queues.map(({ queue }) => queue.add(app.db, jobs)));
    await expect.poll(() => queues[0]!.queue.size()).toBe(0);
    expect(sent).toHaveLength(2000);
    for (const highest of most) expect(highest).toBeLessThanOrEqual(20);
  },
);

test("a push of a crashed instance is sent by another instance after a minute", { tags: "postgres" }, async () => {
  const now = app.clock.now();
  const isPostgres = app.config.databaseUrl !== null;
  await createPushes(app.db, [pushTo(1)], now);
  await claimPushes(app.db, { now, until: now + minutes(1), limit: 1, isPostgres });
  const sent: number[] = [];
  const { queue } = openQueue(async ({ subscriptionId }) => {
    sent.push(subscriptionId);
    return null;
  });
  await wake(queue);
  await expect.poll(() => sent).toEqual([0]);
  app.clock.time += minutes(1);
  await wake(queue);
  await expect.poll(() => sent.toSorted()).toEqual([0, 0, 1]);
});

test("a push whose attempt throws an unexpected error has no effect on other pushes", async () => {
  const sent: number[] = [];
  const { queue } = openQueue(async ({ subscriptionId }) => {
    if (subscriptionId === 1) throw new Error("no");
    sent.push(subscriptionId);
    return null;
  });
  await queue.add(app.db, [pushTo(1), pushTo(2)]);
  await expect.poll(() => sent).toEqual([2]);
  await expect.poll(() => warnings).toEqual(["push-failed"]);
});

test("a push queue sends no more pushes after it is closed, and the next server sends the remaining pushes", async () => {
  const stopping = Promise.withResolvers<number>();
  const begun = Promise.withResolvers<void>();
  const closed = openQueue(() => {
    begun.resolve();
    return stopping.promise;
  });
  await closed.queue.add(app.db, [pushTo(1)]);
  await begun.promise;
  const closing = closed.queue.close();
  stopping.resolve(0);
  await closing;
  const sent: number[] = [];
  const next = openQueue(async ({ subscriptionId }) => {
    sent.push(subscriptionId);
    return null;
  });
  await closed.queue.add(app.db, [pushTo(2)]);
  await wake(next.queue);
  await expect.poll(() => sent.toSorted()).toEqual([0, 1, 2]);
});
