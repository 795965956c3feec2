import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { ApiError } from "./api.ts";
import { createOutbox, waitingCount, type Outbox } from "./outbox.ts";
import { isRetryable, retryDelay } from "./outbox-rules.ts";
import { createOutboxStorage, type OutboxEntry, type OutboxStorage } from "./outbox-storage.ts";

const anna = 1;
const ben = 2;
type Try = (parcel: OutboxEntry) => Promise<string>;

interface Tab {
  outbox: Outbox;
  /** What happened, in words. */
  story: string[];
  /** What was sent. */
  sent: OutboxEntry[];
}

/** A tab whose tries end as listed, the last one again and again. Tabs with the same box are tabs of one browser. */
function tabWith(box: OutboxStorage, ...tries: Try[]): Tab {
  const story: string[] = [];
  const sent: OutboxEntry[] = [];
  const outbox = createOutbox<string>({
    storage: box,
    send(parcel) {
      sent.push(parcel);
      return (tries[sent.length - 1] ?? tries.at(-1)!)(parcel);
    },
    onEnqueued: () => void story.push("posted"),
    onCancelled: (_, wasOut) => void story.push(wasOut ? "recalled in time" : "recalled"),
    onDelivered: ({ isRecalled }, reply) => void story.push(`delivered ${isRecalled ? "recall " : ""}${reply}`),
    onRefused: (_, reason) => void story.push(`refused ${reason}`),
    onUnanswered: () => void story.push("stuck"),
  });
  return { outbox, story, sent };
}

const ok: Try = () => Promise.resolve("ok");
const fails =
  (status: number): Try =>
  () =>
    Promise.reject(new ApiError(status, `Fehler ${status}`));
const isOnline = vi.fn<() => boolean>();

let box: OutboxStorage;
beforeEach(() => {
  vi.useFakeTimers();
  // No locks, as over plain http: what is tested here must hold without them.
  vi.stubGlobal("navigator", {
    get onLine() {
      return isOnline();
    },
  });
  vi.stubGlobal("BroadcastChannel", Channel);
  isOnline.mockReturnValue(true);
  box = createOutboxStorage();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  Channel.all.clear();
});

/** Tells every other tab at once. */
class Channel extends EventTarget {
  static readonly all = new Set<Channel>();

  constructor() {
    super();
    Channel.all.add(this);
  }

  postMessage(data: unknown): void {
    for (const other of Channel.all) if (other !== this) other.dispatchEvent(new MessageEvent("message", { data }));
  }
}

const now = () => vi.advanceTimersByTimeAsync(0);
const keysOf = ({ sent }: Tab) => sent.map(({ key }) => key);

test("two posts are two parcels, each with a key of its own", async () => {
  const tab = tabWith(box, ok);
  tab.outbox.activate(anna);
  const keys = await Promise.all([tab.outbox.enqueue(anna), tab.outbox.enqueue(anna)]);
  await now();
  expect(tab.story.toSorted()).toEqual(["delivered ok", "delivered ok", "posted", "posted"]);
  expect(keysOf(tab).toSorted()).toEqual(keys.toSorted());
  expect(new Set(keys).size).toBe(2);
  expect(keys.every((key) => /^[A-Za-z0-9_-]{8,64}$/.test(key))).toBe(true);
  expect([tab.outbox.entries.get(), await box.list()]).toEqual([[], []]);
});

test("what gets no answer is repeated under the same key until there is one", async () => {
  const tab = tabWith(box, fails(0), fails(503), fails(409), ok);
  tab.outbox.activate(anna);
  await tab.outbox.enqueue(anna);
  await now();
  expect(tab.outbox.entries.get()).toMatchObject([{ failures: 1 }]);
  expect(waitingCount.get()).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(tab.story).toEqual(["posted", "stuck", "delivered ok"]);
  expect(keysOf(tab)).toHaveLength(4);
  expect(new Set(keysOf(tab)).size).toBe(1);
  expect(waitingCount.get()).toBe(0);
});

test("a request that hangs is given up after a while and repeated", async () => {
  const hangs: Try = () => Promise.reject(new DOMException("too long", "TimeoutError"));
  const tab = tabWith(box, hangs, ok);
  tab.outbox.activate(anna);
  await tab.outbox.enqueue(anna);
  await vi.advanceTimersByTimeAsync(1000);
  expect(tab.story).toEqual(["posted", "delivered ok"]);
});

test("a refused parcel stays, also over a reload, and can be posted again under its key", async () => {
  const tab = tabWith(box, fails(403));
  tab.outbox.activate(anna);
  const key = await tab.outbox.enqueue(anna);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tab.story).toEqual(["posted", "refused Fehler 403"]);
  const later = tabWith(box, ok);
  later.outbox.activate(anna);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([later.story, keysOf(later)]).toEqual([[], []]);
  await later.outbox.retry(key);
  await now();
  expect([later.story, keysOf(later)]).toEqual([["posted", "delivered ok"], [key]]);
});

test("nobody's parcels are shown to, or sent in the name of, another one; they wait until their member is back", async () => {
  const tab = tabWith(box, fails(401), ok);
  const close = tab.outbox.activate(anna);
  const key = await tab.outbox.enqueue(anna);
  await now();
  close();
  await vi.advanceTimersByTimeAsync(60_000);
  tab.outbox.activate(ben);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([keysOf(tab), tab.outbox.entries.get(), waitingCount.get()]).toEqual([[key], [], 0]);
  tab.outbox.activate(anna);
  await now();
  expect(tab.story).toEqual(["posted", "posted", "delivered ok"]);
  expect(keysOf(tab)).toEqual([key, key]);
});

test("opening again sends what waits at once, and nothing twice", async () => {
  const tab = tabWith(box, fails(0), fails(0), fails(0), fails(0), ok);
  tab.outbox.activate(anna);
  await tab.outbox.enqueue(anna);
  await vi.advanceTimersByTimeAsync(5000);
  expect(keysOf(tab)).toHaveLength(4);
  tab.outbox.activate(anna);
  tab.outbox.activate(anna);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(keysOf(tab)).toHaveLength(5);
  expect(tab.story.at(-1)).toBe("delivered ok");
});

describe("what lies in the browser", () => {
  test("is sent after a reload, with the time it was posted", async () => {
    const tab = tabWith(box, fails(0));
    tab.outbox.activate(anna);
    await tab.outbox.enqueue(anna);
    await now();
    const { postedAt } = tab.outbox.entries.get()[0]!;
    tab.outbox.activate(0);
    await vi.advanceTimersByTimeAsync(3_600_000);
    const reloaded = tabWith(box, ok);
    reloaded.outbox.activate(anna);
    await now();
    expect(reloaded.story).toEqual(["posted", "delivered ok"]);
    expect(reloaded.sent).toMatchObject([{ postedAt }]);
    expect(await box.list()).toEqual([]);
  });

  test("is the same in every tab, and gone in all of them once one has brought it", async () => {
    const one = tabWith(box, fails(0), ok);
    const other = tabWith(box, ok);
    one.outbox.activate(anna);
    other.outbox.activate(anna);
    await one.outbox.enqueue(anna);
    await now();
    expect(other.outbox.entries.get()).toEqual(one.outbox.entries.get());
    await vi.advanceTimersByTimeAsync(5000);
    expect(one.story.concat(other.story).filter((line) => line.startsWith("delivered"))).toHaveLength(2);
    expect([one.outbox.entries.get(), other.outbox.entries.get(), await box.list()]).toEqual([[], [], []]);
  });
});

describe("what is taken back", () => {
  test("after it has arrived is told to the server", async () => {
    const tab = tabWith(box, ok, fails(0), ok);
    tab.outbox.activate(anna);
    const key = await tab.outbox.enqueue(anna);
    await now();
    await tab.outbox.cancel(key, anna);
    await vi.advanceTimersByTimeAsync(5000);
    expect(tab.story).toEqual(["posted", "delivered ok", "recalled", "delivered recall ok"]);
    expect(tab.sent).toMatchObject([{ isRecalled: false }, { key, isRecalled: true }, { key, isRecalled: true }]);
    expect(await box.list()).toEqual([]);
  });

  test("while it is on its way is told to the server afterwards", async () => {
    const arriving = Promise.withResolvers<string>();
    const tab = tabWith(box, () => arriving.promise, ok);
    tab.outbox.activate(anna);
    const key = await tab.outbox.enqueue(anna);
    await now();
    await tab.outbox.cancel(key, anna);
    arriving.resolve("late");
    await vi.advanceTimersByTimeAsync(5000);
    expect(tab.story).toEqual(["posted", "recalled in time", "delivered recall ok"]);
    expect(tab.sent).toMatchObject([{ isRecalled: false }, { key, isRecalled: true }]);
  });

  test("after a try that may have arrived is told to the server", async () => {
    const tab = tabWith(box, fails(0), ok);
    tab.outbox.activate(anna);
    const key = await tab.outbox.enqueue(anna);
    await now();
    await tab.outbox.cancel(key, anna);
    await now();
    expect(tab.story).toEqual(["posted", "recalled in time", "delivered recall ok"]);
  });

  test("without network ever since is gone without a word, in every tab", async () => {
    isOnline.mockReturnValue(false);
    const tab = tabWith(box, fails(0));
    const other = tabWith(box, fails(0));
    tab.outbox.activate(anna);
    const key = await tab.outbox.enqueue(anna);
    await now();
    other.outbox.activate(anna);
    await vi.advanceTimersByTimeAsync(60_000);
    await other.outbox.cancel(key, anna);
    await now();
    expect([tab.outbox.entries.get(), other.outbox.entries.get(), await box.list()]).toEqual([[], [], []]);
    for (const { story } of [tab, other]) {
      expect(story.filter((line) => line !== "stuck")).toEqual(["posted", "recalled in time"]);
    }
    expect([...tab.sent, ...other.sent].some(({ isRecalled }) => isRecalled)).toBe(false);
  });

  test("too late stays, and the reason is told", async () => {
    const tab = tabWith(box, ok, fails(403));
    tab.outbox.activate(anna);
    const key = await tab.outbox.enqueue(anna);
    await now();
    await tab.outbox.cancel(key, anna);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tab.story).toEqual(["posted", "delivered ok", "recalled", "refused Fehler 403"]);
    expect(await box.list()).toEqual([]);
  });
});

describe("before a logout", () => {
  test("everything gets another chance, and what is left can be thrown away", async () => {
    const tab = tabWith(box, fails(0), ok, fails(0));
    tab.outbox.activate(anna);
    await tab.outbox.enqueue(anna);
    await now();
    const first = tab.outbox.flush();
    await vi.advanceTimersByTimeAsync(400);
    expect(await first).toBe(0);
    await tab.outbox.enqueue(anna);
    const second = tab.outbox.flush();
    await vi.advanceTimersByTimeAsync(5000);
    expect(await second).toBe(1);
    await tab.outbox.clear();
    expect([tab.outbox.entries.get(), waitingCount.get(), await box.list()]).toEqual([[], 0, []]);
    const tries = tab.sent.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tab.sent).toHaveLength(tries);
  });
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
  expect(isRetryable(status)).toBe(isWorth);
});

test("the pause doubles from half a second to half a minute", () => {
  expect([1, 2, 3, 7, 20].map((failures) => retryDelay(failures, 0.5))).toEqual([500, 1000, 2000, 30_000, 30_000]);
  expect(retryDelay(1, 0)).toBe(375);
});
