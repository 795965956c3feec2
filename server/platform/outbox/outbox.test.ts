import { beforeEach, describe, expect, test } from "vitest";

import { repairTimes } from "#server/clock-repair.ts";
import { inTransaction } from "#server/db/connect.ts";
import { createWebhookSender } from "#server/features/webhooks/actions.ts";
import { createMailSender } from "#server/platform/mail/mail-sender.ts";
import { days, hours, minutes, seconds } from "#server/time.ts";
import { claimMs, delivered, later, listMessages, messageTo, openDelivering, openOutbox } from "#test/outbox.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { type Attempt, longestClaim, longestRetryDelay, type OutboxMessage } from "./outbox.ts";
import { claimMessages, countWaiting, createMessages } from "./store.ts";

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

describe("a message", () => {
  test(
    "a message is sent once, after the commit of its transaction, and is then deleted",
    { tags: "postgres" },
    async () => {
      const outbox = openDelivering(app);
      outbox.start();
      await inTransaction(app.db, async (tx) => {
        await outbox.add(tx, [messageTo(app, "anna")]);
        await new Promise(setImmediate);
        expect(outbox.sent).toEqual([]);
      });
      await expect.poll(() => listMessages(app)).toEqual([]);
      await outbox.sendDue();
      expect(outbox.sent).toEqual(["anna"]);
      expect(outbox.dropped).toEqual([]);
    },
  );

  test("a message whose transaction is rolled back is never sent", { tags: "postgres" }, async () => {
    const outbox = openDelivering(app);
    outbox.start();
    const failing = inTransaction(app.db, async (tx) => {
      await outbox.add(tx, [messageTo(app, "anna")]);
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    await outbox.addAll(messageTo(app, "ben"));
    await expect.poll(() => outbox.sent).toEqual(["ben"]);
    await outbox.sendDue();
    expect(outbox.sent).toEqual(["ben"]);
  });

  test("the outbox throws inside a transaction if it gets the database instead of the transaction as its argument", async () => {
    const outbox = openDelivering(app);
    const writing = inTransaction(app.db, () => outbox.add(app.db, [messageTo(app, "anna")]));
    await expect(writing).rejects.toThrow("needs the transaction");
    await outbox.sendDue();
    expect(outbox.sent).toEqual([]);
  });

  test("a sender gets the content of a message, and an id that is the same in all attempts and different in each message", async () => {
    const seen: OutboxMessage[] = [];
    const outbox = openOutbox(app, async (_, message) => {
      seen.push(message);
      return seen.length === 1 ? later : delivered;
    });
    const expiresAt = app.clock.now() + minutes(5);
    const createdAt = app.clock.now();
    await outbox.addAll(messageTo(app, "anna", { message: { text: "Prost" }, expiresAt }));
    await outbox.sendDue();
    app.clock.time += seconds(2);
    await outbox.sendDue();
    await outbox.addAll(messageTo(app, "anna"));
    await outbox.sendDue();
    const [first, second, other] = seen;
    expect(first).toEqual({
      uuid: expect.any(String),
      receiver: "anna",
      message: { text: "Prost" },
      createdAt,
      expiresAt,
    });
    expect(second).toEqual(first);
    expect([seen.length, other!.uuid === first!.uuid]).toEqual([3, false]);
  });

  test("messages that are added before the outbox starts, or by another process, are sent by the poll of a started outbox", async () => {
    const outbox = openDelivering(app);
    await outbox.addAll(messageTo(app, "anna"));
    await new Promise(setImmediate);
    expect(outbox.sent).toEqual([]);
    outbox.start();
    await expect.poll(() => outbox.sent).toEqual(["anna"]);
    const { expiresAt: expires_at } = messageTo(app, "ben");
    const times = { created_at: app.clock.now(), due_at: app.clock.now(), expires_at };
    await createMessages(app.db, [{ uuid: "a", kind: "mail", receiver: "ben", message: "{}", ...times }]);
    await expect.poll(() => outbox.sent).toEqual(["anna", "ben"]);
  });

  test("an outbox that is started for one kind leaves messages of other kinds to another instance", async () => {
    const outbox = openDelivering(app);
    outbox.start(["push"]);
    await outbox.addAll(messageTo(app, "anna"));
    await new Promise(setImmediate);
    expect([outbox.sent, await countWaiting(app.db, "mail")]).toEqual([[], 1]);
    const pushes = openDelivering(app, { kind: "push" });
    await pushes.sendDue();
    expect([pushes.sent, await countWaiting(app.db, "mail")]).toEqual([[], 1]);
  });
});

describe("a tag", () => {
  test(
    "a new message replaces waiting messages with the same tag and receiver; one that is being sent is not retried",
    { tags: "postgres" },
    async () => {
      const sent: unknown[] = [];
      const held = Promise.withResolvers<Attempt>();
      const outbox = openOutbox(app, async (_, { message }) => {
        sent.push(...Object.values(message as object));
        return sent.length === 1 ? held.promise : delivered;
      });
      outbox.start();
      const tagged = (receiver: string, tag: string | null, text: string) =>
        messageTo(app, receiver, { tag, message: { text } });
      const addOneByOne = (...texts: string[]) =>
        inTransaction(app.db, async (tx) => {
          for (const text of texts) await outbox.add(tx, [tagged("ben", "beercounter", text)]);
        });
      await addOneByOne("one");
      await expect.poll(() => sent).toEqual(["one"]);
      await addOneByOne("two", "three");
      await expect.poll(() => sent).toEqual(["one", "three"]);
      held.resolve(later);
      await expect.poll(() => countWaiting(app.db, "mail")).toBe(0);
      await outbox.addAll(
        ...[tagged("ben", "party 7", "four"), tagged("ben", "party 8", "five"), tagged("carla", "party 8", "six")],
        ...[tagged("ben", null, "seven"), tagged("ben", null, "eight")],
      );
      await expect.poll(() => sent.slice(2).toSorted()).toEqual(["eight", "five", "four", "seven", "six"]);
      expect([outbox.dropped, outbox.failures()]).toEqual([[], 1]);
    },
  );

  test("a message replaces no message of another kind with the same tag and receiver", async () => {
    const outbox = openDelivering(app);
    await outbox.addAll(messageTo(app, "7", { tag: "party", kind: "push" }));
    await outbox.addAll(messageTo(app, "7", { tag: "party" }));
    expect((await listMessages(app)).map(({ kind }) => kind)).toEqual(["push", "mail"]);
  });

  test("while nothing is sent, at most one message per tag and receiver waits", async () => {
    const outbox = openDelivering(app);
    const receivers = Array.from({ length: 600 }, (_, index) => `${index}`);
    for (let change = 0; change < 5; change += 1) {
      for (const tag of ["beercounter", "game-servers"])
        await outbox.addAll(...receivers.map((receiver) => messageTo(app, receiver, { tag })));
    }
    expect(await countWaiting(app.db, "mail")).toBe(1200);
  });
});

test("the senders wait and claim no longer than the limits by which wrong times are repaired", async () => {
  const { context } = app;
  const senders = [createMailSender(context), context.push.sender, createWebhookSender(context)];
  for (const { kind, retryDelays, claimMs: claim } of senders) {
    expect(Math.max(...retryDelays), kind).toBeLessThanOrEqual(longestRetryDelay);
    expect(claim, kind).toBeLessThanOrEqual(longestClaim);
  }
});

test("after the correction of a clock that was days ahead, claimed and postponed messages are sent at once", async () => {
  const outbox = openOutbox(app, async () => later);
  app.clock.time += days(20);
  const expiresAt = app.clock.now() - days(20) + hours(1);
  await outbox.addAll(messageTo(app, "anna"));
  await outbox.sendDue();
  await outbox.addAll(messageTo(app, "ben"));
  const claim = {
    kind: "mail",
    now: app.clock.now(),
    claimMs,
    limit: 1,
  } as const;
  expect(await claimMessages(app.db, claim)).toMatchObject([{ receiver: "ben" }]);
  await app.db.updateTable("outbox").set({ expires_at: expiresAt }).execute();
  app.clock.time -= days(20);
  await repairTimes(app.context);
  const next = openDelivering(app);
  await next.sendDue();
  expect(next.sent.toSorted()).toEqual(["anna", "ben"]);
});

test("a sender with a history keeps delivered and dropped messages with the last answer, and deletes obsolete ones", async () => {
  const answers: Record<string, readonly Attempt[]> = {
    anna: [
      { result: "later", answer: { status: 503 } },
      { result: "delivered", answer: { status: 204 } },
    ],
    ben: [{ result: "dropped", answer: { status: 400 } }],
    // Not sent, e.g. because its receiver is paused.
    carla: [{ result: "dropped" }],
    david: [{ result: "obsolete" }],
    emil: [
      { result: "later", answer: { status: 500 } },
      { result: "later", answer: { status: 502 } },
    ],
  };
  const seen = new Map<string, number>();
  const outbox = openOutbox(
    app,
    async (receiver) => {
      const attempt = seen.get(receiver) ?? 0;
      seen.set(receiver, attempt + 1);
      return answers[receiver]![attempt]!;
    },
    { isHistoryKept: true, retryDelays: [minutes(1)] },
  );
  const expiresAt = app.clock.now() + minutes(10);
  await outbox.addAll(...[...Object.keys(answers), "greta"].map((receiver) => messageTo(app, receiver, { expiresAt })));
  await app.db.updateTable("outbox").set({ due_at: expiresAt }).where("receiver", "=", "greta").execute();
  await outbox.sendDue();
  app.clock.time = expiresAt;
  await app.db
    .updateTable("outbox")
    .set({ expires_at: expiresAt + 1 })
    .where("receiver", "!=", "greta")
    .execute();
  await outbox.sendDue();
  const history = (await listMessages(app)).map(({ receiver, state, attempts, answer }) => [
    receiver,
    state,
    attempts,
    answer,
  ]);
  expect(history).toEqual([
    ["anna", "delivered", 2, '{"status":204}'],
    ["ben", "dropped", 1, '{"status":400}'],
    ["carla", "dropped", 0, null],
    ["emil", "dropped", 2, '{"status":502}'],
    ["greta", "dropped", 0, null],
  ]);
  expect(await countWaiting(app.db, "mail")).toBe(0);
  expect(outbox.dropped.toSorted()).toEqual(["emil failed", "greta expired"]);
});
