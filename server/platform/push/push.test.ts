import { beforeEach, expect, test } from "vitest";

import { readConfig } from "#server/config.ts";
import { type Clock, systemClock } from "#server/platform/clock.ts";
import { createOutbox } from "#server/platform/outbox/outbox.ts";
import { countWaiting } from "#server/platform/outbox/store.ts";
import { minutes, seconds } from "#server/time.ts";
import { endWithTest } from "#test/cleanup.ts";
import { createSqliteDatabase } from "#test/database.ts";
import { createFakePushService, type PushResponse } from "#test/fake-push-service.ts";
import { createPush, type PushOptions } from "./push.ts";

const now = Date.parse("2026-11-20T19:30:00Z");
const vapid = {
  publicKey: "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
  privateKey: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
};

const service = await createFakePushService();
const { db } = await createSqliteDatabase();
let lines: string[];

beforeEach(() => void (lines = []));

function open(changes: Partial<PushOptions> = {}) {
  const note = (event: string, fields?: object): void => void lines.push(JSON.stringify({ event, ...fields }));
  return createPush({
    config: readConfig({ NODE_ENV: "test", PUSH_ALLOW_PRIVATE: "1", PUSH_SUBJECT: "mailto:wirt@pub.example" }),
    vapid,
    clock: { ...systemClock, now: () => now },
    log: { debug: note, info: note, warn: note, error: note },
    prepareDelivery: async () => undefined,
    recordDelivery: async () => {},
    ...changes,
  });
}

function target(browser = "phone") {
  const { endpoint, keys } = service.subscription(browser);
  return { endpoint, ...keys };
}

const message = { payload: '"Prost"', topic: "beer", expiresAt: now + 89_990 };

const later = (retryAfterMs: number) => ({ kind: "later", retryAfterMs });
const retryAfter = (status: number, when: string) => ({ status, headers: { "retry-after": when } });

test.each<[PushResponse, object]>([
  [201, { kind: "delivered" }],
  [204, { kind: "delivered" }],
  [404, { kind: "gone" }],
  [410, { kind: "gone" }],
  [401, { kind: "unauthorised" }],
  [403, { kind: "unauthorised" }],
  [301, { kind: "refused" }],
  [400, { kind: "refused" }],
  [413, { kind: "refused" }],
  [429, later(0)],
  [retryAfter(429, "120"), later(120_000)],
  [retryAfter(503, "Fri, 20 Nov 2026 19:31:00 GMT"), later(60_000)],
  [retryAfter(503, "Fri, 20 Nov 2026 19:00:00 GMT"), later(0)],
  [retryAfter(500, "bald"), later(0)],
  ["drop", later(0)],
])("deliver turns the answer %o of a push service into the outcome %o", async (answer, outcome) => {
  service.responses.push(answer);
  expect(await open().deliver(target(), message, notStopped)).toEqual(outcome);
});

test("a push request contains the operator's contact and the remaining lifetime in seconds, rounded up", async () => {
  await open().deliver(target(), message, notStopped);
  const { headers, claims, payload } = service.received.at(-1)!;
  expect([payload, headers["ttl"], headers["topic"]]).toEqual(["Prost", "90", "beer"]);
  expect(claims).toEqual({
    aud: `https://localhost:${service.port}`,
    sub: "mailto:wirt@pub.example",
    exp: now / 1000 + 12 * 60 * 60,
  });
});

test("a push to a host that resolves to this machine is refused and logged without the URL's secret part", async () => {
  const before = service.calls.length;
  const push = open({ config: readConfig({}), resolve: async () => [{ address: "127.0.0.1", family: 4 }] });
  expect(await push.deliver(target("secret-part"), message, notStopped)).toEqual({ kind: "refused" });
  expect(service.calls).toHaveLength(before);
  expect(lines).toEqual([JSON.stringify({ event: "push-address-refused", host: `localhost:${service.port}` })]);
});

const notStopped = new AbortController().signal;

/** Opens an outbox with the sender of these pushes. */
function openOutbox(push: ReturnType<typeof createPush>, clock: Clock) {
  const ignore = (): void => {};
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const outbox = createOutbox({ db, clock, log, senders: [push.sender] });
  endWithTest(outbox.close);
  return outbox;
}

const pushTo = (subscriptionId: number, expiresAt: number) => {
  const { payload, topic } = message;
  return {
    kind: "push",
    receiver: String(subscriptionId),
    message: { payload, topic, permission: null },
    expiresAt,
  } as const;
};

test("a push that fails temporarily is retried, and its final outcome is recorded", async () => {
  const outcomes: string[] = [];
  const to = target("retried");
  const push = open({
    prepareDelivery: async ({ payload }) => ({ target: to, payload }),
    recordDelivery: async ({ subscriptionId }, outcome) => void outcomes.push(`${subscriptionId} ${outcome}`),
    clock: systemClock,
    retryDelays: [1, 1],
  });
  const outbox = openOutbox(push, systemClock);
  outbox.start();
  service.responses.push(503, 201, 503, 503, 503);
  for (const subscriptionId of [1, 2]) {
    await outbox.add(db, [pushTo(subscriptionId, Date.now() + 60_000)]);
    await expect.poll(() => outcomes).toHaveLength(subscriptionId);
  }
  expect(outcomes).toEqual(["1 delivered", "2 later"]);
  expect(service.calls.filter((browser) => browser === "retried")).toHaveLength(5);
  await expect.poll(() => countWaiting(db, "push")).toBe(0);
});

test("a push is retried after 2, 10 and 60 seconds, or later if the push service asks for it", async () => {
  const to = target("postponed");
  const clock = { ...systemClock, time: now, now: () => clock.time };
  const push = open({ clock, prepareDelivery: async ({ payload }) => ({ target: to, payload }) });
  const outbox = openOutbox(push, clock);
  const calls = () => service.calls.filter((browser) => browser === "postponed").length;
  await outbox.add(db, [pushTo(1, now + minutes(60))]);
  service.responses.push(503, 503, retryAfter(503, "600"), 503);
  await outbox.sendDue("push");
  for (const [index, wait] of [seconds(2), seconds(10), minutes(10)].entries()) {
    clock.time += wait - 1;
    await outbox.sendDue("push");
    expect(calls()).toBe(index + 1);
    // A quarter more than the delay is the longest jitter.
    clock.time += wait / 4 + 1;
    await outbox.sendDue("push");
    expect(calls()).toBe(index + 2);
  }
  expect(await countWaiting(db, "push")).toBe(0);
});

test.each<[PushResponse, outcome: string, failures: number]>([
  [201, "delivered", 0],
  [410, "gone", 0],
  [403, "unauthorised", 1],
  [400, "refused", 1],
])("a push that is answered with %o is not retried, and its outcome is %s", async (answer, outcome, failures) => {
  const outcomes: string[] = [];
  const to = target("answering");
  const push = open({
    prepareDelivery: async ({ payload }) => ({ target: to, payload }),
    recordDelivery: async (_, one) => void outcomes.push(one),
  });
  const outbox = openOutbox(push, { ...systemClock, now: () => now });
  service.responses.push(answer);
  await outbox.add(db, [pushTo(1, now + minutes(1))]);
  await outbox.sendDue("push");
  expect(outcomes).toEqual([outcome]);
  expect(await countWaiting(db, "push")).toBe(0);
  expect(outbox.failures("push")).toBe(failures);
});

test("a push that has expired or whose subscription no longer exists is not sent", async () => {
  const before = service.calls.length;
  const asked: number[] = [];
  const outcomes: string[] = [];
  const push = open({
    prepareDelivery: async ({ subscriptionId }) => {
      asked.push(subscriptionId);
      return undefined;
    },
    recordDelivery: async (_, outcome) => void outcomes.push(outcome),
  });
  const outbox = openOutbox(push, { ...systemClock, now: () => now });
  await outbox.add(db, [pushTo(1, now + 1), pushTo(2, now)]);
  await outbox.sendDue("push");
  expect(asked).toEqual([1]);
  expect(await countWaiting(db, "push")).toBe(0);
  expect(service.calls).toHaveLength(before);
  expect([outcomes, outbox.failures("push")]).toEqual([[], 0]);
});

test("the close of the outbox aborts the pushes that are being sent, and they remain in the outbox of the next server", async () => {
  const to = target("interrupted");
  const outcomes: string[] = [];
  const push = open({
    prepareDelivery: async ({ payload }) => ({ target: to, payload }),
    recordDelivery: async (_, outcome) => void outcomes.push(outcome),
  });
  const outbox = openOutbox(push, { ...systemClock, now: () => now });
  service.responses.push("hang");
  await outbox.add(db, [pushTo(1, now + minutes(1))]);
  outbox.start();
  await expect.poll(() => service.calls).toContain("interrupted");
  await outbox.close();
  expect(lines).toEqual([]);
  const rows = await db.selectFrom("outbox").select(["receiver", "claimed_until", "attempts"]).execute();
  expect(rows).toEqual([{ receiver: "1", claimed_until: null, attempts: 0 }]);
  expect([outcomes, outbox.failures("push")]).toEqual([[], 0]);
});
