import { beforeEach, expect, test } from "vitest";

import { readConfig } from "#server/config.ts";
import { systemClock } from "#server/platform/clock.ts";
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
    db,
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
  expect(await open().deliver(target(), message)).toEqual(outcome);
});

test("a push request contains the operator's contact and the remaining lifetime in seconds, rounded up", async () => {
  await open().deliver(target(), message);
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
  expect(await push.deliver(target("secret-part"), message)).toEqual({ kind: "refused" });
  expect(service.calls).toHaveLength(before);
  expect(lines).toEqual([JSON.stringify({ event: "push-address-refused", host: `localhost:${service.port}` })]);
});

test("a push that fails temporarily is retried, and its final outcome is recorded", async () => {
  const outcomes: string[] = [];
  const to = target("retried");
  const push = open({
    prepareDelivery: async ({ payload }) => ({ target: to, payload }),
    recordDelivery: async (_, outcome) => void outcomes.push(outcome),
    clock: systemClock,
    retryDelays: [1, 1],
  });
  // As in the server, looks for due pushes each second, because the timer of a retry may be early.
  const stop = push.start();
  endWithTest(async () => stop());
  service.responses.push(503, 201, 503, 503, 503);
  for (const subscriptionId of [1, 2]) {
    await push.queue(db, [{ ...message, expiresAt: Date.now() + 60_000, subscriptionId, permission: null, tag: null }]);
    await expect.poll(() => outcomes).toHaveLength(subscriptionId);
  }
  expect(outcomes).toEqual(["delivered", "later"]);
  expect(service.calls.filter((browser) => browser === "retried")).toHaveLength(5);
});

test("a push that has expired or whose subscription no longer exists is not sent", async () => {
  const before = service.calls.length;
  const asked: number[] = [];
  const push = open({
    prepareDelivery: async ({ subscriptionId }) => {
      asked.push(subscriptionId);
      return undefined;
    },
  });
  const job = { ...message, permission: null, tag: null };
  await push.queue(db, [
    { ...job, subscriptionId: 1 },
    { ...job, subscriptionId: 2, expiresAt: now },
  ]);
  await expect.poll(() => asked).toEqual([1]);
  await expect.poll(() => push.countWaiting()).toBe(0);
  expect(service.calls).toHaveLength(before);
});
