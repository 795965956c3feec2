import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { ApiError } from "./api.ts";
import { createOutbox, isWorthRepeating, pauseBefore, type Outbox } from "./outbox.ts";

const anna = 1;
const bernd = 2;
type Try = (key: string) => Promise<string>;

/** An outbox whose tries end as listed, the last one again and again; tells what happened in words. */
function outboxWith(...tries: Try[]): { outbox: Outbox; story: string[]; keys: string[] } {
  const story: string[] = [];
  const keys: string[] = [];
  const outbox = createOutbox<string>({
    deliver(key) {
      keys.push(key);
      return (tries[keys.length - 1] ?? tries.at(-1)!)(key);
    },
    onDelivered: (_, reply) => void story.push(`delivered ${reply}`),
    onRefused: (_, reason) => void story.push(`refused ${reason}`),
    onStuck: () => void story.push("stuck"),
  });
  return { outbox, story, keys };
}

const ok: Try = () => Promise.resolve("ok");
const fails =
  (status: number): Try =>
  () =>
    Promise.reject(new ApiError(status, `Fehler ${status}`));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("two posts are two parcels, each with a key of its own", async () => {
  const { outbox, story, keys } = outboxWith(ok);
  outbox.open(anna);
  outbox.post(anna);
  outbox.post(anna);
  await vi.advanceTimersByTimeAsync(0);
  expect(story).toEqual(["delivered ok", "delivered ok"]);
  expect(new Set(keys).size).toBe(2);
  expect(keys.every((key) => /^[A-Za-z0-9_-]{8,64}$/.test(key))).toBe(true);
  expect(outbox.parcels.get()).toEqual([]);
});

test("what gets no answer is repeated under the same key until there is one", async () => {
  const { outbox, story, keys } = outboxWith(fails(0), fails(503), fails(409), ok);
  outbox.open(anna);
  outbox.post(anna);
  await vi.advanceTimersByTimeAsync(0);
  expect(outbox.parcels.get()).toMatchObject([{ state: "waiting", failures: 1 }]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(story).toEqual(["stuck", "delivered ok"]);
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(1);
});

test("a request that hangs is given up after a while and repeated", async () => {
  const hangs: Try = () => Promise.reject(new DOMException("too long", "TimeoutError"));
  const { outbox, story } = outboxWith(hangs, ok);
  outbox.open(anna);
  outbox.post(anna);
  await vi.advanceTimersByTimeAsync(1000);
  expect(story).toEqual(["delivered ok"]);
});

test("a refused parcel stays and can be posted again under its key", async () => {
  const { outbox, story, keys } = outboxWith(fails(403), ok);
  outbox.open(anna);
  outbox.post(anna);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(story).toEqual(["refused Fehler 403"]);
  const [refused] = outbox.parcels.get();
  expect(refused).toMatchObject({ state: "refused" });
  outbox.postAgain(refused!);
  await vi.advanceTimersByTimeAsync(0);
  expect(story.at(-1)).toBe("delivered ok");
  expect(keys[0]).toBe(keys[1]);
});

test("nobody's parcels are sent in another one's name", async () => {
  const { outbox, story, keys } = outboxWith(fails(401), ok);
  const close = outbox.open(anna);
  outbox.post(anna);
  await vi.advanceTimersByTimeAsync(0);
  close();
  await vi.advanceTimersByTimeAsync(60_000);
  outbox.open(bernd);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(keys).toHaveLength(1);
  outbox.open(anna);
  await vi.advanceTimersByTimeAsync(0);
  expect(story).toEqual(["delivered ok"]);
  expect(keys[0]).toBe(keys[1]);
});

test("opening again sends what waits at once, and nothing twice", async () => {
  const { outbox, keys, story } = outboxWith(fails(0), fails(0), fails(0), fails(0), ok);
  outbox.open(anna);
  outbox.post(anna);
  await vi.advanceTimersByTimeAsync(5000);
  expect(keys).toHaveLength(4);
  outbox.open(anna);
  outbox.open(anna);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(keys).toHaveLength(5);
  expect(story.at(-1)).toBe("delivered ok");
});

test.each([
  [0, true],
  [401, true],
  [408, true],
  [409, true],
  [429, true],
  [500, true],
  [503, true],
  [400, false],
  [403, false],
  [419, false],
  [422, false],
])("after status %i a repetition is worth it: %s", (status, isWorth) => {
  expect(isWorthRepeating(status)).toBe(isWorth);
});

test("the pause doubles from half a second to half a minute", () => {
  expect([1, 2, 3, 7, 20].map((failures) => pauseBefore(failures, 0.5))).toEqual([500, 1000, 2000, 30_000, 30_000]);
  expect(pauseBefore(1, 0)).toBe(375);
});
