import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";

import { repairTimes } from "#server/clock-repair.ts";
import { inTransaction } from "#server/db/connect.ts";
import { createWebhookSender } from "#server/features/webhooks/actions.ts";
import { type Clock, systemClock } from "#server/platform/clock.ts";
import { createMailSender } from "#server/platform/mail/mail-sender.ts";
import { days, hours, minutes, seconds } from "#server/time.ts";
import { endWithTest } from "#test/cleanup.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import {
  type Attempt,
  createOutbox,
  longestClaim,
  longestRetryDelay,
  type NewMessage,
  type OutboxMessage,
  type Sender,
} from "./outbox.ts";
import { claimMessages, countWaiting, createMessages } from "./store.ts";

let app: TestApp;
let warnings: object[];

beforeEach(async () => {
  app = await createTestApp();
  warnings = [];
});

const delivered: Attempt = { result: "delivered" };
const later: Attempt = { result: "later" };
const claimMs = minutes(1);
const isPostgres = () => app.database.kind === "postgres";

function messageTo(receiver: string, changes: Partial<NewMessage> = {}): NewMessage {
  return { kind: "mail", receiver, message: {}, expiresAt: app.clock.now() + hours(3), ...changes };
}

/** Opens an outbox on the database of the app, like that of another instance. */
function openOutbox(
  send: (receiver: string, message: OutboxMessage, stop: AbortSignal) => Promise<Attempt>,
  options: Partial<Sender> = {},
  clock: Clock = app.clock,
) {
  const dropped: string[] = [];
  const ignore = (): void => {};
  // The outboxes of earlier tests must not add to the warnings of later ones.
  const own = warnings;
  const warn = (event: string, fields = {}) => void own.push({ event, ...fields });
  const sender: Sender = {
    kind: "mail",
    parallel: 20,
    claimMs,
    retryDelays: [seconds(2), seconds(10), minutes(1)],
    onDropped: ({ receiver }, reason) => void dropped.push(`${receiver} ${reason}`),
    ...options,
    send: (message, stop) => send(message.receiver, message, stop),
  };
  const log = { debug: ignore, info: ignore, warn, error: ignore };
  const outbox = createOutbox({ db: app.db, isPostgres: isPostgres(), clock, log, senders: [sender] });
  endWithTest(outbox.close);
  return { ...outbox, sendDue: () => outbox.sendDue(sender.kind), dropped };
}

/** Opens an outbox that delivers every message, and notes the receivers. */
function openDelivering(options: Partial<Sender> = {}, clock: Clock = app.clock) {
  const sent: string[] = [];
  const outbox = openOutbox(
    async (receiver) => {
      sent.push(receiver);
      return delivered;
    },
    options,
    clock,
  );
  return { ...outbox, sent };
}

/** Adds messages of a change that is committed. */
const add = (outbox: Pick<ReturnType<typeof openOutbox>, "add">, ...messages: readonly NewMessage[]) =>
  inTransaction(app.db, (tx) => outbox.add(tx, messages));

const rows = () => app.db.selectFrom("outbox").selectAll().orderBy("id").execute();
const waiting = () => countWaiting(app.db, "mail");

describe("a message", () => {
  test(
    "a message is sent once, after the commit of its transaction, and is then deleted",
    { tags: "postgres" },
    async () => {
      const outbox = openDelivering();
      outbox.start();
      await inTransaction(app.db, async (tx) => {
        await outbox.add(tx, [messageTo("anna")]);
        await new Promise(setImmediate);
        expect(outbox.sent).toEqual([]);
      });
      await expect.poll(rows).toEqual([]);
      await outbox.sendDue();
      expect(outbox.sent).toEqual(["anna"]);
      expect(outbox.dropped).toEqual([]);
    },
  );

  test("a message whose transaction is rolled back is never sent", { tags: "postgres" }, async () => {
    const outbox = openDelivering();
    outbox.start();
    const failing = inTransaction(app.db, async (tx) => {
      await outbox.add(tx, [messageTo("anna")]);
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    await add(outbox, messageTo("ben"));
    await expect.poll(() => outbox.sent).toEqual(["ben"]);
    await outbox.sendDue();
    expect(outbox.sent).toEqual(["ben"]);
  });

  test("the outbox throws inside a transaction if it gets the database instead of the transaction as its argument", async () => {
    const outbox = openDelivering();
    const writing = inTransaction(app.db, () => outbox.add(app.db, [messageTo("anna")]));
    await expect(writing).rejects.toThrow("needs the transaction");
    await outbox.sendDue();
    expect(outbox.sent).toEqual([]);
  });

  test("a sender gets the content of a message, and an id that is the same in all attempts and different in each message", async () => {
    const seen: OutboxMessage[] = [];
    const outbox = openOutbox(async (_, message) => {
      seen.push(message);
      return seen.length === 1 ? later : delivered;
    });
    const expiresAt = app.clock.now() + minutes(5);
    const createdAt = app.clock.now();
    await add(outbox, messageTo("anna", { message: { text: "Prost" }, expiresAt }));
    await outbox.sendDue();
    app.clock.time += seconds(2);
    await outbox.sendDue();
    await add(outbox, messageTo("anna"));
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
    const outbox = openDelivering();
    await add(outbox, messageTo("anna"));
    await new Promise(setImmediate);
    expect(outbox.sent).toEqual([]);
    outbox.start();
    await expect.poll(() => outbox.sent).toEqual(["anna"]);
    const { expiresAt: expires_at } = messageTo("ben");
    const times = { created_at: app.clock.now(), due_at: app.clock.now(), expires_at };
    await createMessages(app.db, [{ uuid: "a", kind: "mail", receiver: "ben", message: "{}", ...times }]);
    await expect.poll(() => outbox.sent).toEqual(["anna", "ben"]);
  });

  test("an outbox that is started for one kind leaves messages of other kinds to another instance", async () => {
    const outbox = openDelivering();
    outbox.start(["push"]);
    await add(outbox, messageTo("anna"));
    await new Promise(setImmediate);
    expect([outbox.sent, await waiting()]).toEqual([[], 1]);
    const pushes = openDelivering({ kind: "push" });
    await pushes.sendDue();
    expect([pushes.sent, await waiting()]).toEqual([[], 1]);
  });
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
        openOutbox(async (receiver) => {
          running[index]! += 1;
          most[index] = Math.max(most[index]!, running[index]!);
          await new Promise(setImmediate);
          running[index]! -= 1;
          sent.push(receiver);
          return delivered;
        }),
      );
      const messages = Array.from({ length: 1000 }, (_, index) => messageTo(`${index}`));
      await Promise.all(outboxes.map(async (outbox) => add(outbox, ...messages)));
      await Promise.all(outboxes.map((outbox) => outbox.sendDue()));
      expect(await rows()).toEqual([]);
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
      const outboxes = [openOutbox(send), openOutbox(send)];
      for (const outbox of outboxes) outbox.start();
      const messages = Array.from({ length: 20 }, (_, index) => ({ index }));
      for (const [index, message] of messages.entries())
        await add(outboxes[index % 2]!, messageTo("anna", { message }));
      await expect.poll(waiting).toBe(0);
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
      const outbox = openOutbox(send);
      const ahead = openOutbox(send, {}, { ...app.clock, now: () => app.clock.now() + 2 * claimMs });
      const messages = Array.from({ length: 10 }, () => [messageTo("anna"), messageTo("ben")]);
      await add(outbox, ...messages.flat());
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
    const outbox = openOutbox(async (receiver) => {
      sent.push(receiver);
      return receiver === "silent" ? held.promise : delivered;
    });
    outbox.start();
    const messages = Array.from({ length: 30 }, () => [messageTo("silent"), messageTo("anna")]);
    await add(outbox, ...messages.flat());
    const count = (receiver: string) => sent.filter((one) => one === receiver).length;
    await expect.poll(() => count("anna")).toBe(30);
    await add(outbox, messageTo("ben"));
    await expect.poll(() => count("ben")).toBe(1);
    expect(count("silent")).toBe(1);
    held.resolve(delivered);
    await expect.poll(() => count("silent")).toBe(30);
    await expect.poll(waiting).toBe(0);
  });

  test("a message that waits for its retry does not delay later messages to the same receiver", async () => {
    const sent: unknown[] = [];
    const outbox = openOutbox(async (_, { message }) => {
      sent.push(message);
      return sent.length === 1 ? later : delivered;
    });
    await add(outbox, messageTo("anna", { message: [1] }), messageTo("anna", { message: [2] }));
    await outbox.sendDue();
    expect(sent).toEqual([[1], [2]]);
    app.clock.time += seconds(2);
    await outbox.sendDue();
    expect(sent).toEqual([[1], [2], [1]]);
  });

  test("a sender with a minimum time sends no more than its number of parallel messages in each such time", async () => {
    const outbox = openDelivering({ parallel: 2, minimumMs: 100 });
    await add(outbox, ...Array.from({ length: 7 }, (_, index) => messageTo(`${index}`)));
    const began = performance.now();
    await outbox.sendDue();
    // Four rounds, of which timers may end each up to a millisecond early.
    expect(performance.now() - began).toBeGreaterThan(390);
    expect(outbox.sent).toHaveLength(7);
  });
});

describe("failures", () => {
  test(
    "a failed message is retried three times with growing delays, and then dropped",
    { tags: "postgres" },
    async () => {
      let attempts = 0;
      const outbox = openOutbox(async () => {
        attempts += 1;
        return later;
      });
      await add(outbox, messageTo("anna"));
      await outbox.sendDue();
      for (const [index, wait] of [2, 10, 60].entries()) {
        expect([attempts, await waiting()]).toEqual([index + 1, 1]);
        app.clock.time += seconds(wait) - 1;
        await outbox.sendDue();
        expect(attempts).toBe(index + 1);
        app.clock.time += 1;
        await outbox.sendDue();
      }
      expect([attempts, outbox.dropped, await rows()]).toEqual([4, ["anna failed"], []]);
      expect(outbox.failures("mail")).toBe(4);
    },
  );

  test("the retries of messages that failed together are spread over a quarter of the delay, if the sender wants jitter", async () => {
    const outbox = openOutbox(async () => later, { hasJitter: true });
    await add(outbox, ...Array.from({ length: 50 }, (_, index) => messageTo(`${index}`)));
    await outbox.sendDue();
    const waits = (await rows()).map(({ due_at }) => due_at - app.clock.now());
    expect(waits).toHaveLength(50);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(seconds(2));
    expect(Math.max(...waits)).toBeLessThanOrEqual(seconds(2.5));
    expect(new Set(waits).size).toBeGreaterThan(10);
  });

  test("a failed message is retried after the wait that its receiver asks for, and dropped if that wait exceeds one hour", async () => {
    const waits = [minutes(30), seconds(1), hours(1), hours(1) + 1];
    const outbox = openOutbox(async () => ({ result: "later", waitMs: waits.shift()! }));
    await add(outbox, messageTo("anna"));
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
    expect([outbox.dropped, await rows()]).toEqual([["anna failed"], []]);
  });

  test("an uncounted attempt is repeated after its wait, and its message keeps the number of its retries", async () => {
    const results: Attempt[] = [
      ...Array.from({ length: 10 }, (): Attempt => ({ result: "later", waitMs: minutes(1), isUncounted: true })),
      ...[later, later, later, later],
    ];
    const outbox = openOutbox(async () => results.shift()!);
    await add(outbox, messageTo("anna"));
    await outbox.sendDue();
    for (let attempt = 2; attempt <= 11; attempt++) {
      app.clock.time += minutes(1) - 1;
      await outbox.sendDue();
      expect(results).toHaveLength(15 - attempt);
      app.clock.time += 1;
      await outbox.sendDue();
      expect(results).toHaveLength(14 - attempt);
    }
    expect(await rows()).toMatchObject([{ attempts: 1, due_at: app.clock.now() + seconds(2) }]);
  });

  test("a sender that repeats its last delay retries a message until the message expires", async () => {
    let attempts = 0;
    const send = async () => {
      attempts += 1;
      return later;
    };
    const outbox = openOutbox(send, { retryDelays: [minutes(1), minutes(2)], isLastDelayRepeated: true });
    await add(outbox, messageTo("anna", { expiresAt: app.clock.now() + minutes(9) }));
    await outbox.sendDue();
    for (const [attempt, wait] of [1, 2, 2, 2].entries()) {
      expect(attempts).toBe(attempt + 1);
      app.clock.time += minutes(wait);
      await outbox.sendDue();
    }
    expect([attempts, outbox.dropped, await waiting()]).toEqual([5, [], 1]);
    app.clock.time += minutes(2);
    await outbox.sendDue();
    expect([attempts, outbox.dropped, await rows()]).toEqual([5, ["anna expired"], []]);
  });

  test("a message that has expired is dropped and not sent", { tags: "postgres" }, async () => {
    const outbox = openDelivering();
    const expiresAt = app.clock.now() + 1;
    await add(outbox, messageTo("anna", { expiresAt }), messageTo("ben", { expiresAt: expiresAt + 1 }));
    app.clock.time += 1;
    await outbox.sendDue();
    expect([outbox.sent, outbox.dropped, await rows()]).toEqual([["ben"], ["anna expired"], []]);
    expect(outbox.failures("mail")).toBe(0);
  });

  test("an attempt that throws an unexpected error has no effect on other messages, and is repeated when its claim ends", async () => {
    const sent: string[] = [];
    let hasThrown = false;
    const outbox = openOutbox(async (receiver) => {
      if (receiver === "anna" && !hasThrown) {
        hasThrown = true;
        throw new Error("no");
      }
      sent.push(receiver);
      return delivered;
    });
    await add(outbox, messageTo("anna"), messageTo("ben"));
    await outbox.sendDue();
    expect(sent).toEqual(["ben"]);
    expect(warnings).toMatchObject([{ event: "outbox-failed", kind: "mail" }]);
    app.clock.time += claimMs;
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
    const outbox = openOutbox(async (receiver) => results[receiver]!);
    await add(outbox, ...Object.keys(results).map((receiver) => messageTo(receiver)));
    await outbox.sendDue();
    expect(outbox.failures("mail")).toBe(2);
    expect(await rows()).toMatchObject([{ receiver: "anna", state: "waiting" }]);
    // Only the sender knows what to do after a refusal.
    expect(outbox.dropped).toEqual([]);
  });

  test("a started outbox retries failed messages without another call", async () => {
    const results = [later, later, delivered];
    const outbox = openOutbox(async () => results.shift()!, { retryDelays: [1, seconds(1)] }, systemClock);
    outbox.start();
    await add(outbox, messageTo("anna", { expiresAt: systemClock.now() + minutes(1) }));
    await expect.poll(rows).toEqual([]);
    expect(results).toEqual([]);
  });

  test("the outbox logs an unwritable database in one line without a stack", { tags: "sqlite-only" }, async () => {
    const outbox = openDelivering();
    await add(outbox, messageTo("anna"));
    await sql`pragma query_only = 1`.execute(app.db);
    outbox.start();
    const reason = "DATA_DIR: the database cannot be used (attempt to write a readonly database).";
    await expect.poll(() => warnings[0]).toEqual({ event: "outbox-failed", reason });
    await sql`pragma query_only = 0`.execute(app.db);
    await expect.poll(() => outbox.sent).toEqual(["anna"]);
  });
});

describe("a tag", () => {
  test(
    "a new message replaces waiting messages with the same tag and receiver; one that is being sent is not retried",
    { tags: "postgres" },
    async () => {
      const sent: unknown[] = [];
      const held = Promise.withResolvers<Attempt>();
      const outbox = openOutbox(async (_, { message }) => {
        sent.push(...Object.values(message as object));
        return sent.length === 1 ? held.promise : delivered;
      });
      outbox.start();
      const tagged = (receiver: string, tag: string | null, text: string) =>
        messageTo(receiver, { tag, message: { text } });
      const addOneByOne = (...texts: string[]) =>
        inTransaction(app.db, async (tx) => {
          for (const text of texts) await outbox.add(tx, [tagged("ben", "beercounter", text)]);
        });
      await addOneByOne("one");
      await expect.poll(() => sent).toEqual(["one"]);
      await addOneByOne("two", "three");
      await expect.poll(() => sent).toEqual(["one", "three"]);
      held.resolve(later);
      await expect.poll(waiting).toBe(0);
      await add(
        outbox,
        ...[tagged("ben", "party 7", "four"), tagged("ben", "party 8", "five"), tagged("carla", "party 8", "six")],
        ...[tagged("ben", null, "seven"), tagged("ben", null, "eight")],
      );
      await expect.poll(() => sent.slice(2).toSorted()).toEqual(["eight", "five", "four", "seven", "six"]);
      expect([outbox.dropped, outbox.failures("mail")]).toEqual([[], 1]);
    },
  );

  test("a message replaces no message of another kind with the same tag and receiver", async () => {
    const outbox = openDelivering();
    await add(outbox, messageTo("7", { tag: "party", kind: "push" }));
    await add(outbox, messageTo("7", { tag: "party" }));
    expect((await rows()).map(({ kind }) => kind)).toEqual(["push", "mail"]);
  });

  test("while nothing is sent, at most one message per tag and receiver waits", async () => {
    const outbox = openDelivering();
    const receivers = Array.from({ length: 600 }, (_, index) => `${index}`);
    for (let change = 0; change < 5; change += 1) {
      for (const tag of ["beercounter", "game-servers"])
        await add(outbox, ...receivers.map((receiver) => messageTo(receiver, { tag })));
    }
    expect(await waiting()).toBe(1200);
  });
});

describe("a stop", () => {
  test(
    "a message of a crashed instance is sent by another instance when the claim has ended",
    { tags: "postgres" },
    async () => {
      const outbox = openDelivering();
      await add(outbox, messageTo("anna"), messageTo("anna"));
      const claim = { kind: "mail", now: app.clock.now(), claimMs, limit: 1, isPostgres: isPostgres() } as const;
      expect(await claimMessages(app.db, claim)).toHaveLength(1);
      // Moves the end of the claim instead of the clock, because PostgreSQL has a clock of its own.
      const wait = (ms: number) =>
        app.db
          .updateTable("outbox")
          .set(({ eb }) => ({ claimed_until: eb("claimed_until", "-", ms) }))
          .execute();
      await wait(claimMs - seconds(20));
      await outbox.sendDue();
      expect(outbox.sent).toEqual([]);
      await wait(seconds(20));
      await outbox.sendDue();
      expect(outbox.sent).toEqual(["anna", "anna"]);
    },
  );

  test(
    "a closed outbox sends no more messages, and another instance sends the interrupted and remaining ones at once",
    { tags: "postgres" },
    async () => {
      const interrupted: string[] = [];
      const closed = openOutbox(async (receiver, _, stop) => {
        interrupted.push(receiver);
        await new Promise((resolve) => stop.addEventListener("abort", resolve));
        return later;
      });
      closed.start();
      await add(closed, messageTo("anna"));
      await expect.poll(() => interrupted).toEqual(["anna"]);
      await closed.close();
      expect(await rows()).toMatchObject([{ claimed_until: null, attempts: 0, due_at: app.clock.now() }]);
      expect(closed.failures("mail")).toBe(0);
      await add(closed, messageTo("ben"));
      await closed.sendDue();
      expect(interrupted).toEqual(["anna"]);
      const next = openDelivering();
      await next.sendDue();
      expect(next.sent).toEqual(["anna", "ben"]);
    },
  );

  test("a message that is delivered although the outbox stops is not sent again", async () => {
    const held = Promise.withResolvers<Attempt>();
    const begun = Promise.withResolvers<void>();
    const closed = openOutbox(() => {
      begun.resolve();
      return held.promise;
    });
    closed.start();
    await add(closed, messageTo("anna"));
    await begun.promise;
    const closing = closed.close();
    held.resolve(delivered);
    await closing;
    expect(await rows()).toEqual([]);
  });

  test("close waits for a claim in flight, and releases its messages", async () => {
    const sent: string[] = [];
    const closed = openOutbox(async (receiver, _, stop) => {
      sent.push(receiver);
      return stop.aborted ? later : delivered;
    });
    await add(closed, messageTo("anna"));
    const claiming = app.holdQuery("UpdateQueryNode", "outbox");
    closed.start();
    await claiming.reached;
    const closing = closed.close();
    claiming.release();
    await closing;
    expect(await rows()).toMatchObject([{ claimed_until: null, attempts: 0 }]);
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
  const outbox = openOutbox(async () => later);
  app.clock.time += days(20);
  const expiresAt = app.clock.now() - days(20) + hours(1);
  await add(outbox, messageTo("anna"));
  await outbox.sendDue();
  await add(outbox, messageTo("ben"));
  const claim = { kind: "mail", now: app.clock.now(), claimMs, limit: 1, isPostgres: isPostgres() } as const;
  expect(await claimMessages(app.db, claim)).toMatchObject([{ receiver: "ben" }]);
  await app.db.updateTable("outbox").set({ expires_at: expiresAt }).execute();
  app.clock.time -= days(20);
  await repairTimes(app.context);
  const next = openDelivering();
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
    async (receiver) => {
      const attempt = seen.get(receiver) ?? 0;
      seen.set(receiver, attempt + 1);
      return answers[receiver]![attempt]!;
    },
    { isHistoryKept: true, retryDelays: [minutes(1)] },
  );
  const expiresAt = app.clock.now() + minutes(10);
  await add(outbox, ...[...Object.keys(answers), "greta"].map((receiver) => messageTo(receiver, { expiresAt })));
  await app.db.updateTable("outbox").set({ due_at: expiresAt }).where("receiver", "=", "greta").execute();
  await outbox.sendDue();
  app.clock.time = expiresAt;
  await app.db
    .updateTable("outbox")
    .set({ expires_at: expiresAt + 1 })
    .where("receiver", "!=", "greta")
    .execute();
  await outbox.sendDue();
  const history = (await rows()).map(({ receiver, state, attempts, answer }) => [receiver, state, attempts, answer]);
  expect(history).toEqual([
    ["anna", "delivered", 2, '{"status":204}'],
    ["ben", "dropped", 1, '{"status":400}'],
    ["carla", "dropped", 0, null],
    ["emil", "dropped", 2, '{"status":502}'],
    ["greta", "dropped", 0, null],
  ]);
  expect(await waiting()).toBe(0);
  expect(outbox.dropped.toSorted()).toEqual(["emil failed", "greta expired"]);
});
