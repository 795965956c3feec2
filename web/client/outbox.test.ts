import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { ApiError } from "./api.ts";
import { isRetryable, retryDelay } from "./outbox-rules.ts";
import { createOutboxStorage, type OutboxEntry, type OutboxStorage } from "./outbox-storage.ts";
import { createOutbox, waitingCount, type Outbox } from "./outbox.ts";

const anna = 1;
const ben = 2;
type Try = (entry: OutboxEntry, signal: AbortSignal) => Promise<string>;

interface Tab {
  readonly outbox: Outbox;
  /** The calls of the outbox's hooks, in words. */
  readonly story: string[];
  readonly sent: OutboxEntry[];
}

/**
 * Creates a tab whose attempts to send have the listed results; the last result repeats. Tabs with
 * the same storage are in one browser.
 */
function createTab(shared: OutboxStorage, ...tries: Try[]): Tab {
  const story: string[] = [];
  const sent: OutboxEntry[] = [];
  const outbox = createOutbox<string>({
    storage: shared,
    send(entry, signal) {
      sent.push(entry);
      return (tries[sent.length - 1] ?? tries.at(-1)!)(entry, signal);
    },
    onAdded: () => void story.push("added"),
    onNotSaved: () => void story.push("not saved"),
    onCancelled: (_, wasPending) => void story.push(wasPending ? "cancelled in time" : "cancelled"),
    onDelivered: ({ isRecalled }, reply) => void story.push(`delivered ${isRecalled ? "cancellation " : ""}${reply}`),
    onRefused: (_, reason) => void story.push(`refused ${reason}`),
  });
  return { outbox, story, sent };
}

/** Creates a tab in which Anna is logged in. */
function openTab(shared: OutboxStorage, ...tries: Try[]): Tab {
  const tab = createTab(shared, ...tries);
  tab.outbox.activate(anna);
  return tab;
}

const ok: Try = () => Promise.resolve("ok");
const fails =
  (status: number): Try =>
  () =>
    Promise.reject(new ApiError(status, `Fehler ${status}`));
const isOnline = vi.fn<() => boolean>();

let storage: OutboxStorage;
beforeEach(() => {
  // This navigator has no `locks`, like that of pages without https.
  vi.stubGlobal("navigator", {
    get onLine() {
      return isOnline();
    },
  });
  vi.stubGlobal("BroadcastChannel", Channel);
  isOnline.mockReturnValue(true);
  vi.useFakeTimers();
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const timeout = new AbortController();
    setTimeout(() => timeout.abort(new DOMException("Too late.", "TimeoutError")), ms);
    return timeout.signal;
  });
  storage = createOutboxStorage();
});
afterEach(() => {
  Channel.all.clear();
});

/** A BroadcastChannel that delivers synchronously. */
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

const keysOf = ({ sent }: Tab) => sent.map(({ key }) => key);

test("two taps become two outbox entries with different idempotency keys", async () => {
  const tab = openTab(storage, ok);
  const keys = [tab.outbox.add(anna), tab.outbox.add(anna)];
  await vi.advanceTimersByTimeAsync(0);
  expect(tab.story.toSorted()).toEqual(["added", "added", "delivered ok", "delivered ok"]);
  expect(keysOf(tab).toSorted()).toEqual(keys.toSorted());
  expect(new Set(keys).size).toBe(2);
  expect(keys.every((key) => /^[A-Za-z0-9_-]{8,64}$/.test(key))).toBe(true);
  expect([tab.outbox.entries.get(), await storage.list()]).toEqual([[], []]);
});

test("an entry with a given key and time is sent once, even if two tabs add it", async () => {
  const about = { key: "tapped-before-the-start", postedAt: Date.now() - 5000 };
  const tabs = [openTab(storage, ok), openTab(storage, ok)];
  for (const { outbox } of tabs) outbox.add(anna, about);
  await vi.advanceTimersByTimeAsync(0);
  const sent = tabs.flatMap((tab) => tab.sent);
  expect(new Set(sent.map(({ key }) => key))).toEqual(new Set([about.key]));
  expect(sent[0]).toMatchObject({ ...about, memberId: anna });
  for (const { story } of tabs) expect(story.filter((line) => line === "added")).toHaveLength(1);
  expect([...tabs.flatMap(({ outbox }) => outbox.entries.get()), ...(await storage.list())]).toEqual([]);
});

test("an unanswered outbox entry is retried under the same idempotency key", async () => {
  const tab = openTab(storage, fails(0), fails(503), fails(409), ok);
  tab.outbox.add(anna);
  await vi.advanceTimersByTimeAsync(0);
  expect(tab.outbox.entries.get()).toMatchObject([{ failures: 1 }]);
  expect(waitingCount.get()).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(tab.story).toEqual(["added", "delivered ok"]);
  expect(keysOf(tab)).toHaveLength(4);
  expect(new Set(keysOf(tab)).size).toBe(1);
  expect(waitingCount.get()).toBe(0);
});

test("the outbox aborts a hanging request after 15 seconds and retries it", async () => {
  const hangs: Try = (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  const tab = openTab(storage, hangs, ok);
  tab.outbox.add(anna);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(tab.sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(tab.story).toEqual(["added", "delivered ok"]);
});

test("the outbox sends an entry once in a browser without locks and BroadcastChannel", async () => {
  const request = () => Promise.reject(new DOMException("Storage is switched off.", "SecurityError"));
  vi.stubGlobal("navigator", { onLine: true, locks: { request } });
  vi.stubGlobal("BroadcastChannel", undefined);
  const tab = openTab(storage, ok);
  const key = tab.outbox.add(anna);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([tab.story, keysOf(tab)]).toEqual([["added", "delivered ok"], [key]]);
});

test("a tab that is suspended while it sends an entry blocks other tabs for at most 20 seconds", async () => {
  const request = (_: string, { signal }: LockOptions) =>
    new Promise((_resolve, reject) => signal!.addEventListener("abort", () => reject(signal!.reason as Error)));
  vi.stubGlobal("navigator", { onLine: true, locks: { request } });
  const tab = openTab(storage, ok);
  tab.outbox.add(anna);
  await vi.advanceTimersByTimeAsync(19_999);
  expect(tab.story).toEqual(["added"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(tab.story).toEqual(["added", "delivered ok"]);
});

describe("storing a new entry", () => {
  /** Creates a storage that writes, or fails, only when the test settles the promise `writing`. */
  function slowStorage(): { shared: OutboxStorage; writing: PromiseWithResolvers<void> } {
    const writing = Promise.withResolvers<void>();
    const add = async (entry: OutboxEntry): Promise<void> => {
      await writing.promise;
      await storage.add(entry);
    };
    return { shared: { ...storage, add }, writing };
  }

  test("a new outbox entry is shown at once and sent only after it is stored", async () => {
    const { shared, writing } = slowStorage();
    const tab = openTab(shared, ok);
    const key = tab.outbox.add(anna);
    expect([tab.story, tab.outbox.entries.get()]).toMatchObject([["added"], [{ key }]]);
    // A message of another tab does not remove the new entry.
    createTab(storage, ok).outbox.activate(anna);
    for (const channel of Channel.all) channel.dispatchEvent(new MessageEvent("message", { data: null }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([tab.story, tab.sent]).toEqual([["added"], []]);
    writing.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect([tab.story, keysOf(tab)]).toEqual([["added", "delivered ok"], [key]]);
  });

  test("an outbox entry that cannot be stored is removed and never sent, and other entries are kept", async () => {
    const { shared, writing } = slowStorage();
    const tab = openTab(shared, fails(0));
    await storage.add(storedBefore);
    tab.outbox.add(anna);
    writing.reject(new DOMException("The disk is full.", "QuotaExceededError"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tab.story).toEqual(["added", "added", "not saved"]);
    expect(new Set(keysOf(tab))).toEqual(new Set([storedBefore.key]));
    expect(tab.outbox.entries.get()).toMatchObject([{ key: storedBefore.key }]);
  });

  test("an outbox entry can be cancelled while the browser is storing it", async () => {
    const { shared, writing } = slowStorage();
    const tab = openTab(shared, ok);
    const key = tab.outbox.add(anna);
    const cancelling = tab.outbox.cancel(key, anna);
    writing.resolve();
    await cancelling;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tab.story.at(-1)).toBe("delivered cancellation ok");
    expect([tab.outbox.entries.get(), await storage.list()]).toEqual([[], []]);
  });

  const storedBefore: OutboxEntry = {
    key: "stored-before",
    memberId: anna,
    postedAt: 0,
    isTried: true,
    isRecalled: false,
    isRefused: false,
    failures: 1,
  };
});

test("a refused outbox entry survives a reload and can be retried under the same key", async () => {
  const tab = openTab(storage, fails(403));
  const key = tab.outbox.add(anna);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tab.story).toEqual(["added", "refused Fehler 403"]);
  const later = openTab(storage, ok);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([later.story, keysOf(later)]).toEqual([[], []]);
  await later.outbox.retry(key);
  await vi.advanceTimersByTimeAsync(0);
  expect([later.story, keysOf(later)]).toEqual([["added", "delivered ok"], [key]]);
});

test("outbox entries of one member are neither shown nor sent until that member logs in again", async () => {
  const tab = createTab(storage, fails(401), ok);
  const close = tab.outbox.activate(anna);
  const key = tab.outbox.add(anna);
  await vi.advanceTimersByTimeAsync(0);
  close();
  await vi.advanceTimersByTimeAsync(60_000);
  tab.outbox.activate(ben);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([keysOf(tab), tab.outbox.entries.get(), waitingCount.get()]).toEqual([[key], [], 0]);
  tab.outbox.activate(anna);
  await vi.advanceTimersByTimeAsync(0);
  expect(tab.story).toEqual(["added", "added", "delivered ok"]);
  expect(keysOf(tab)).toEqual([key, key]);
});

test("a second call of activate() sends an outbox entry that waits for a retry at once, and only once", async () => {
  const tab = openTab(storage, fails(0), fails(0), fails(0), fails(0), ok);
  tab.outbox.add(anna);
  await vi.advanceTimersByTimeAsync(5000);
  expect(keysOf(tab)).toHaveLength(4);
  tab.outbox.activate(anna);
  tab.outbox.activate(anna);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(keysOf(tab)).toHaveLength(5);
  expect(tab.story.at(-1)).toBe("delivered ok");
});

describe("stored entries", () => {
  test("a stored outbox entry is sent after a reload with the time of its tap", async () => {
    const tab = openTab(storage, fails(0));
    tab.outbox.add(anna);
    await vi.advanceTimersByTimeAsync(0);
    const { postedAt } = tab.outbox.entries.get()[0]!;
    tab.outbox.activate(0);
    await vi.advanceTimersByTimeAsync(3_600_000);
    const reloaded = openTab(storage, ok);
    await vi.advanceTimersByTimeAsync(0);
    expect(reloaded.story).toEqual(["added", "delivered ok"]);
    expect(reloaded.sent).toMatchObject([{ postedAt }]);
    expect(await storage.list()).toEqual([]);
  });

  test("every tab shows the same outbox entries, and removes an entry once one tab has sent it", async () => {
    const one = createTab(storage, fails(0), ok);
    const other = createTab(storage, ok);
    one.outbox.activate(anna);
    other.outbox.activate(anna);
    one.outbox.add(anna);
    await vi.advanceTimersByTimeAsync(0);
    expect(other.outbox.entries.get()).toEqual(one.outbox.entries.get());
    await vi.advanceTimersByTimeAsync(5000);
    expect(one.story.concat(other.story).filter((line) => line.startsWith("delivered"))).toHaveLength(2);
    expect([one.outbox.entries.get(), other.outbox.entries.get(), await storage.list()]).toEqual([[], [], []]);
  });
});

describe("cancel", () => {
  test("the cancellation of a delivered outbox entry is sent to the server", async () => {
    const tab = openTab(storage, ok, fails(0), ok);
    const key = tab.outbox.add(anna);
    await vi.advanceTimersByTimeAsync(0);
    await tab.outbox.cancel(key, anna);
    await vi.advanceTimersByTimeAsync(5000);
    expect(tab.story).toEqual(["added", "delivered ok", "cancelled", "delivered cancellation ok"]);
    expect(tab.sent).toMatchObject([{ isRecalled: false }, { key, isRecalled: true }, { key, isRecalled: true }]);
    expect(await storage.list()).toEqual([]);
  });

  test("the cancellation of an outbox entry in flight is sent after the entry's answer", async () => {
    const arriving = Promise.withResolvers<string>();
    const tab = openTab(storage, () => arriving.promise, ok);
    const key = tab.outbox.add(anna);
    await vi.advanceTimersByTimeAsync(0);
    await tab.outbox.cancel(key, anna);
    arriving.resolve("late");
    await vi.advanceTimersByTimeAsync(5000);
    expect(tab.story).toEqual(["added", "cancelled in time", "delivered cancellation ok"]);
    expect(tab.sent).toMatchObject([{ isRecalled: false }, { key, isRecalled: true }]);
  });

  test("the cancellation of an outbox entry with an unanswered attempt is sent to the server", async () => {
    const tab = openTab(storage, fails(0), ok);
    const key = tab.outbox.add(anna);
    await vi.advanceTimersByTimeAsync(0);
    await tab.outbox.cancel(key, anna);
    await vi.advanceTimersByTimeAsync(0);
    expect(tab.story).toEqual(["added", "cancelled in time", "delivered cancellation ok"]);
  });

  test("a cancelled offline entry is not sent by any tab", async () => {
    isOnline.mockReturnValue(false);
    const tab = createTab(storage, fails(0));
    const other = createTab(storage, fails(0));
    tab.outbox.activate(anna);
    const key = tab.outbox.add(anna);
    await vi.advanceTimersByTimeAsync(0);
    other.outbox.activate(anna);
    await vi.advanceTimersByTimeAsync(60_000);
    await other.outbox.cancel(key, anna);
    await vi.advanceTimersByTimeAsync(0);
    expect([tab.outbox.entries.get(), other.outbox.entries.get(), await storage.list()]).toEqual([[], [], []]);
    for (const { story } of [tab, other]) {
      expect(story).toEqual(["added", "cancelled in time"]);
    }
    expect([...tab.sent, ...other.sent].some(({ isRecalled }) => isRecalled)).toBe(false);
  });

  test("a refused cancellation of an outbox entry shows the server's reason", async () => {
    const tab = openTab(storage, ok, fails(403));
    const key = tab.outbox.add(anna);
    await vi.advanceTimersByTimeAsync(0);
    await tab.outbox.cancel(key, anna);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tab.story).toEqual(["added", "delivered ok", "cancelled", "refused Fehler 403"]);
    expect(await storage.list()).toEqual([]);
  });
});

describe("flush", () => {
  test("flush() retries every outbox entry and returns the number of remaining entries, and clear() deletes these entries", async () => {
    const tab = openTab(storage, fails(0), ok, fails(0));
    tab.outbox.add(anna);
    await vi.advanceTimersByTimeAsync(0);
    const first = tab.outbox.flush();
    await vi.advanceTimersByTimeAsync(400);
    expect(await first).toBe(0);
    tab.outbox.add(anna);
    const second = tab.outbox.flush();
    await vi.advanceTimersByTimeAsync(5000);
    expect(await second).toBe(1);
    await tab.outbox.clear();
    expect([tab.outbox.entries.get(), waitingCount.get(), await storage.list()]).toEqual([[], 0, []]);
    const tries = tab.sent.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tab.sent).toHaveLength(tries);
  });
});

test.each([
  [0, true],
  [401, true],
  [404, true],
  [408, true],
  [409, true],
  [429, true],
  [500, true],
  [503, true],
  [400, false],
  [403, false],
  [419, false],
  [422, false],
])("isRetryable for status %i returns %s", (status, isWorth) => {
  expect(isRetryable(status)).toBe(isWorth);
});

test("retryDelay doubles from half a second up to 30 seconds", () => {
  expect([1, 2, 3, 7, 20].map((failures) => retryDelay(failures, 0.5))).toEqual([500, 1000, 2000, 30_000, 30_000]);
  expect(retryDelay(1, 0)).toBe(375);
});
