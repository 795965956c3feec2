import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";

import { systemClock } from "#server/platform/clock.ts";
import { hours, minutes, seconds } from "#server/time.ts";
import {
  claimMs,
  delivered,
  later,
  listMessages,
  messageTo,
  openDelivering,
  openOutbox,
  passClaims,
} from "#test/outbox.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { type Attempt } from "./outbox.ts";
import { countWaiting } from "./store.ts";

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

describe("failures", () => {
  test(
    "a failed message is retried three times with growing delays, and then dropped",
    { tags: "postgres" },
    async () => {
      let attempts = 0;
      const outbox = openOutbox(app, async () => {
        attempts += 1;
        return later;
      });
      await outbox.addAll(messageTo(app, "anna"));
      await outbox.sendDue();
      for (const [index, wait] of [2, 10, 60].entries()) {
        expect([attempts, await countWaiting(app.db, "mail")]).toEqual([index + 1, 1]);
        app.clock.time += seconds(wait) - 1;
        await outbox.sendDue();
        expect(attempts).toBe(index + 1);
        app.clock.time += 1;
        await outbox.sendDue();
      }
      expect([attempts, outbox.dropped, await listMessages(app)]).toEqual([4, ["anna failed"], []]);
      expect(outbox.failures()).toBe(4);
    },
  );

  test("the retries of messages that failed together are spread over a quarter of the delay, if the sender wants jitter", async () => {
    const outbox = openOutbox(app, async () => later, { hasJitter: true });
    await outbox.addAll(...Array.from({ length: 50 }, (_, index) => messageTo(app, `${index}`)));
    await outbox.sendDue();
    const waits = (await listMessages(app)).map(({ due_at }) => due_at - app.clock.now());
    expect(waits).toHaveLength(50);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(seconds(2));
    expect(Math.max(...waits)).toBeLessThanOrEqual(seconds(2.5));
    expect(new Set(waits).size).toBeGreaterThan(10);
  });

  test("a failed message is retried after the wait that its receiver asks for, and dropped if that wait exceeds one hour", async () => {
    const waits = [minutes(30), seconds(1), hours(1), hours(1) + 1];
    const outbox = openOutbox(app, async () => ({ result: "later", waitMs: waits.shift()! }));
    await outbox.addAll(messageTo(app, "anna"));
    await outbox.sendDue();
    for (const [left, wait] of [
      [3, minutes(30)],
      // The wait is never shorter than the usual delay.
      [2, seconds(10)],
      [1, hours(1)],
    ] as const) {
      app.clock.time += wait - 1;
      await outbox.sendDue();
      expect(waits).toHaveLength(left);
      app.clock.time += 1;
      await outbox.sendDue();
      expect(waits).toHaveLength(left - 1);
    }
    expect([outbox.dropped, await listMessages(app)]).toEqual([["anna failed"], []]);
  });

  test("an uncounted attempt is repeated after its wait, and its message keeps the number of its retries", async () => {
    const results: Attempt[] = [
      ...Array.from({ length: 10 }, (): Attempt => ({ result: "later", waitMs: minutes(1), isUncounted: true })),
      ...[later, later, later, later],
    ];
    const outbox = openOutbox(app, async () => results.shift()!);
    await outbox.addAll(messageTo(app, "anna"));
    await outbox.sendDue();
    for (let attempt = 2; attempt <= 11; attempt++) {
      app.clock.time += minutes(1) - 1;
      await outbox.sendDue();
      expect(results).toHaveLength(15 - attempt);
      app.clock.time += 1;
      await outbox.sendDue();
      expect(results).toHaveLength(14 - attempt);
    }
    expect(await listMessages(app)).toMatchObject([{ attempts: 1, due_at: app.clock.now() + seconds(2) }]);
  });

  test("a sender that repeats its last delay retries a message until the message expires", async () => {
    let attempts = 0;
    const send = async () => {
      attempts += 1;
      return later;
    };
    const outbox = openOutbox(app, send, { retryDelays: [minutes(1), minutes(2)], isLastDelayRepeated: true });
    await outbox.addAll(messageTo(app, "anna", { expiresAt: app.clock.now() + minutes(9) }));
    await outbox.sendDue();
    for (const [attempt, wait] of [1, 2, 2, 2].entries()) {
      expect(attempts).toBe(attempt + 1);
      app.clock.time += minutes(wait);
      await outbox.sendDue();
    }
    expect([attempts, outbox.dropped, await countWaiting(app.db, "mail")]).toEqual([5, [], 1]);
    app.clock.time += minutes(2);
    await outbox.sendDue();
    expect([attempts, outbox.dropped, await listMessages(app)]).toEqual([5, ["anna expired"], []]);
  });

  test("a message that has expired is dropped and not sent", { tags: "postgres" }, async () => {
    const outbox = openDelivering(app);
    const expiresAt = app.clock.now() + 1;
    await outbox.addAll(messageTo(app, "anna", { expiresAt }), messageTo(app, "ben", { expiresAt: expiresAt + 1 }));
    app.clock.time += 1;
    await outbox.sendDue();
    expect([outbox.sent, outbox.dropped, await listMessages(app)]).toEqual([["ben"], ["anna expired"], []]);
    expect(outbox.failures()).toBe(0);
  });

  test("an attempt that throws an unexpected error has no effect on other messages, and is repeated when its claim ends", async () => {
    const sent: string[] = [];
    let hasThrown = false;
    const outbox = openOutbox(app, async (receiver) => {
      if (receiver === "anna" && !hasThrown) {
        hasThrown = true;
        throw new Error("no");
      }
      sent.push(receiver);
      return delivered;
    });
    await outbox.addAll(messageTo(app, "anna"), messageTo(app, "ben"));
    await outbox.sendDue();
    expect(sent).toEqual(["ben"]);
    expect(outbox.warnings).toMatchObject([{ event: "outbox-failed", kind: "mail" }]);
    await passClaims(app, claimMs);
    await outbox.sendDue();
    expect(sent).toEqual(["ben", "anna"]);
  });

  test("failures counts the failed attempts and the refused messages, but no obsolete message", async () => {
    const results: Record<string, Attempt> = {
      anna: later,
      ben: { result: "dropped" },
      carla: { result: "obsolete" },
      david: delivered,
    };
    const outbox = openOutbox(app, async (receiver) => results[receiver]!);
    await outbox.addAll(...Object.keys(results).map((receiver) => messageTo(app, receiver)));
    await outbox.sendDue();
    expect(outbox.failures()).toBe(2);
    expect(await listMessages(app)).toMatchObject([{ receiver: "anna", state: "waiting" }]);
    // Only the sender knows what to do after a refusal.
    expect(outbox.dropped).toEqual([]);
  });

  test("a started outbox retries failed messages without another call", async () => {
    const results = [later, later, delivered];
    const outbox = openOutbox(app, async () => results.shift()!, { retryDelays: [1, seconds(1)] }, systemClock);
    outbox.start();
    await outbox.addAll(messageTo(app, "anna", { expiresAt: systemClock.now() + minutes(1) }));
    await expect.poll(() => listMessages(app)).toEqual([]);
    expect(results).toEqual([]);
  });

  test("the outbox logs an unwritable database in one line without a stack", { tags: "sqlite-only" }, async () => {
    const outbox = openDelivering(app);
    await outbox.addAll(messageTo(app, "anna"));
    await sql`pragma query_only = 1`.execute(app.db);
    outbox.start();
    const reason = "DATA_DIR: the database cannot be used (attempt to write a readonly database).";
    await expect.poll(() => outbox.warnings[0]).toEqual({ event: "outbox-failed", reason });
    await sql`pragma query_only = 0`.execute(app.db);
    await expect.poll(() => outbox.sent).toEqual(["anna"]);
  });
});
