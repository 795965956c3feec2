import { beforeEach, describe, expect, test } from "vitest";

import { seconds } from "#server/time.ts";
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
import { type Attempt, type OutboxMessage } from "./outbox.ts";
import { claimMessages, countWaiting } from "./store.ts";

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

describe("parallel sending", () => {
  test(
    "2,000 messages are all sent, at most 20 at a time, and each by only one of two instances",
    { tags: "postgres" },
    async () => {
      const sent: string[] = [];
      const running = [0, 0];
      const most = [0, 0];
      const outboxes = running.map((_, index) =>
        openOutbox(app, async (receiver) => {
          running[index]! += 1;
          most[index] = Math.max(most[index]!, running[index]!);
          await new Promise(setImmediate);
          running[index]! -= 1;
          sent.push(receiver);
          return delivered;
        }),
      );
      const messages = Array.from({ length: 1000 }, (_, index) => messageTo(app, `${index}`));
      await Promise.all(outboxes.map(async (outbox) => outbox.addAll(...messages)));
      await Promise.all(outboxes.map((outbox) => outbox.sendDue()));
      expect(await listMessages(app)).toEqual([]);
      expect([sent.length, new Set(sent).size]).toEqual([2000, 1000]);
      for (const highest of most) expect(highest).toBeLessThanOrEqual(20);
    },
  );

  test(
    "messages to one receiver are sent in their order and one at a time, even by two instances",
    { tags: "postgres" },
    async () => {
      const sent: unknown[] = [];
      let running = 0;
      let most = 0;
      const send = async (_: string, { message }: OutboxMessage) => {
        most = Math.max(most, (running += 1));
        await new Promise(setImmediate);
        sent.push(message);
        running -= 1;
        return delivered;
      };
      const outboxes = [openOutbox(app, send), openOutbox(app, send)];
      for (const outbox of outboxes) outbox.start();
      const messages = Array.from({ length: 20 }, (_, index) => ({ index }));
      for (const [index, message] of messages.entries())
        await outboxes[index % 2]!.addAll(messageTo(app, "anna", { message }));
      await expect.poll(() => countWaiting(app.db, "mail")).toBe(0);
      expect(sent).toEqual(messages);
      expect(most).toBe(1);
    },
  );

  test(
    "two instances whose clocks differ by two claims send each message once, and one at a time to each receiver",
    { tags: "postgres-only" },
    async () => {
      const sent: string[] = [];
      const held = Promise.withResolvers<Attempt>();
      const send = async (_: string, { uuid }: OutboxMessage) => {
        sent.push(uuid);
        return sent.length <= 2 ? held.promise : delivered;
      };
      const outbox = openOutbox(app, send);
      const ahead = openOutbox(app, send, {}, { ...app.clock, now: () => app.clock.now() + 2 * claimMs });
      const messages = Array.from({ length: 10 }, () => [messageTo(app, "anna"), messageTo(app, "ben")]);
      await outbox.addAll(...messages.flat());
      const sending = outbox.sendDue();
      await expect.poll(() => sent).toHaveLength(2);
      await ahead.sendDue();
      expect(sent).toHaveLength(2);
      held.resolve(delivered);
      await Promise.all([sending, ahead.sendDue()]);
      await outbox.sendDue();
      expect([sent.length, new Set(sent).size]).toEqual([20, 20]);
    },
  );

  test("a receiver that does not answer delays only its own messages", { tags: "postgres" }, async () => {
    const sent: string[] = [];
    const held = Promise.withResolvers<Attempt>();
    const outbox = openOutbox(app, async (receiver) => {
      sent.push(receiver);
      return receiver === "silent" ? held.promise : delivered;
    });
    outbox.start();
    const messages = Array.from({ length: 30 }, () => [messageTo(app, "silent"), messageTo(app, "anna")]);
    await outbox.addAll(...messages.flat());
    const count = (receiver: string) => sent.filter((one) => one === receiver).length;
    await expect.poll(() => count("anna")).toBe(30);
    await outbox.addAll(messageTo(app, "ben"));
    await expect.poll(() => count("ben")).toBe(1);
    expect(count("silent")).toBe(1);
    held.resolve(delivered);
    await expect.poll(() => count("silent")).toBe(30);
    await expect.poll(() => countWaiting(app.db, "mail")).toBe(0);
  });

  test("a message that waits for its retry does not delay later messages to the same receiver", async () => {
    const sent: unknown[] = [];
    const outbox = openOutbox(app, async (_, { message }) => {
      sent.push(message);
      return sent.length === 1 ? later : delivered;
    });
    await outbox.addAll(messageTo(app, "anna", { message: [1] }), messageTo(app, "anna", { message: [2] }));
    await outbox.sendDue();
    expect(sent).toEqual([[1], [2]]);
    app.clock.time += seconds(2);
    await outbox.sendDue();
    expect(sent).toEqual([[1], [2], [1]]);
  });

  test("a sender with a minimum time sends no more than its number of parallel messages in each such time", async () => {
    const outbox = openDelivering(app, { parallel: 2, minimumMs: 100 });
    await outbox.addAll(...Array.from({ length: 7 }, (_, index) => messageTo(app, `${index}`)));
    const began = performance.now();
    await outbox.sendDue();
    // Four rounds, of which timers may end each up to a millisecond early.
    expect(performance.now() - began).toBeGreaterThan(390);
    expect(outbox.sent).toHaveLength(7);
  });
});

describe("a stop", () => {
  test(
    "a message of a crashed instance is sent by another instance when the claim has ended",
    { tags: "postgres" },
    async () => {
      const outbox = openDelivering(app);
      await outbox.addAll(messageTo(app, "anna"), messageTo(app, "anna"));
      const claim = {
        kind: "mail",
        now: app.clock.now(),
        claimMs,
        limit: 1,
      } as const;
      expect(await claimMessages(app.db, claim)).toHaveLength(1);
      await passClaims(app, claimMs - seconds(20));
      await outbox.sendDue();
      expect(outbox.sent).toEqual([]);
      await passClaims(app, seconds(20));
      await outbox.sendDue();
      expect(outbox.sent).toEqual(["anna", "anna"]);
    },
  );

  test(
    "a closed outbox sends no more messages, and another instance sends the interrupted and remaining ones at once",
    { tags: "postgres" },
    async () => {
      const interrupted: string[] = [];
      const closed = openOutbox(app, async (receiver, _, stop) => {
        interrupted.push(receiver);
        await new Promise((resolve) => stop.addEventListener("abort", resolve));
        return later;
      });
      closed.start();
      await closed.addAll(messageTo(app, "anna"));
      await expect.poll(() => interrupted).toEqual(["anna"]);
      await closed.close();
      expect(await listMessages(app)).toMatchObject([{ claimed_until: null, attempts: 0, due_at: app.clock.now() }]);
      expect(closed.failures()).toBe(0);
      await closed.addAll(messageTo(app, "ben"));
      await closed.sendDue();
      expect(interrupted).toEqual(["anna"]);
      const next = openDelivering(app);
      await next.sendDue();
      expect(next.sent).toEqual(["anna", "ben"]);
    },
  );

  test("a message that is delivered although the outbox stops is not sent again", async () => {
    const held = Promise.withResolvers<Attempt>();
    const begun = Promise.withResolvers<void>();
    const closed = openOutbox(app, () => {
      begun.resolve();
      return held.promise;
    });
    closed.start();
    await closed.addAll(messageTo(app, "anna"));
    await begun.promise;
    const closing = closed.close();
    held.resolve(delivered);
    await closing;
    expect(await listMessages(app)).toEqual([]);
  });

  test("close waits for a claim in flight, and releases its messages", async () => {
    const sent: string[] = [];
    const closed = openOutbox(app, async (receiver, _, stop) => {
      sent.push(receiver);
      return stop.aborted ? later : delivered;
    });
    await closed.addAll(messageTo(app, "anna"));
    const claiming = app.holdQuery("UpdateQueryNode", "outbox");
    closed.start();
    await claiming.reached;
    const closing = closed.close();
    claiming.release();
    await closing;
    expect(await listMessages(app)).toMatchObject([{ claimed_until: null, attempts: 0 }]);
  });
});
