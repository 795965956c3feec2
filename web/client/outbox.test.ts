import { beforeEach, describe, expect, test, vi } from "vitest";

import {
  anna,
  Channel,
  createTab,
  drink,
  fails,
  keysOf,
  ok,
  openStorage,
  openTab,
  slowStorage,
} from "#test/web/outbox-tab.ts";
import type { OutboxEntry } from "./outbox-rules.ts";
import type { OutboxStorage } from "./outbox-storage.ts";
import { createOutbox } from "./outbox.ts";

const ben = 2;

let storage: OutboxStorage;
beforeEach(() => {
  storage = openStorage();
});

test("two taps become two outbox entries with different idempotency keys", async () => {
  const tab = openTab(storage, ok);
  const keys = [drink(tab), drink(tab)];
  await vi.advanceTimersByTimeAsync(0);
  expect(tab.story.toSorted()).toEqual(["beer added", "beer added", "beer delivered ok", "beer delivered ok"]);
  expect(keysOf(tab).toSorted()).toEqual(keys.toSorted());
  expect(new Set(keys).size).toBe(2);
  expect(keys.every((key) => /^[A-Za-z0-9_-]{8,64}$/.test(key))).toBe(true);
  expect([tab.outbox.entries.get(), await storage.list()]).toEqual([[], []]);
});

test("an unanswered outbox entry is retried under the same idempotency key", async () => {
  const tab = openTab(storage, fails(0), fails(503), fails(409), ok);
  drink(tab);
  await vi.advanceTimersByTimeAsync(0);
  expect(tab.outbox.entries.get()).toMatchObject([{ failures: 1 }]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(tab.story).toEqual(["beer added", "beer delivered ok"]);
  expect(keysOf(tab)).toHaveLength(4);
  expect(new Set(keysOf(tab)).size).toBe(1);
});

test("the outbox aborts a hanging request after 15 seconds and retries it", async () => {
  const requests: RequestInit[] = [];
  const hang = (_: string, init: RequestInit) => {
    requests.push(init);
    return new Promise((_resolve, reject) =>
      init.signal!.addEventListener("abort", () => reject(init.signal!.reason as Error)),
    );
  };
  vi.stubGlobal("fetch", hang);
  vi.stubGlobal("document", { cookie: "", querySelector: () => null });
  const outbox = createOutbox({ memberId: anna, storage });
  outbox.add({ endpoint: "drinkBeer", body: {} });
  await vi.advanceTimersByTimeAsync(14_999);
  expect([requests.length, outbox.entries.get()[0]?.failures]).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(1000);
  expect([requests.length, outbox.entries.get()[0]?.failures]).toEqual([2, 1]);
});

test("the outbox sends an entry once in a browser without locks and BroadcastChannel", async () => {
  const request = () => Promise.reject(new DOMException("Storage is switched off.", "SecurityError"));
  vi.stubGlobal("navigator", { locks: { request } });
  vi.stubGlobal("BroadcastChannel", undefined);
  const tab = openTab(storage, ok);
  const key = drink(tab);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([tab.story, keysOf(tab)]).toEqual([["beer added", "beer delivered ok"], [key]]);
});

test("a tab that is suspended while it sends an entry blocks other tabs for at most 20 seconds", async () => {
  const request = (_: string, { signal }: LockOptions) =>
    new Promise((_resolve, reject) => signal!.addEventListener("abort", () => reject(signal!.reason as Error)));
  vi.stubGlobal("navigator", { locks: { request } });
  const tab = openTab(storage, ok);
  drink(tab);
  await vi.advanceTimersByTimeAsync(19_999);
  expect(tab.story).toEqual(["beer added"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(tab.story).toEqual(["beer added", "beer delivered ok"]);
});

describe("storing a new entry", () => {
  test("a new outbox entry is shown at once and sent only after it is stored", async () => {
    const { shared, writing } = slowStorage(storage);
    const tab = openTab(shared, ok);
    const key = drink(tab);
    expect([tab.story, tab.outbox.entries.get()]).toMatchObject([["beer added"], [{ id: key }]]);
    // A message of another tab does not remove the new entry.
    openTab(storage, ok);
    for (const channel of Channel.all) channel.dispatchEvent(new MessageEvent("message", { data: null }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([tab.story, tab.sent]).toEqual([["beer added"], []]);
    writing.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect([tab.story, keysOf(tab)]).toEqual([["beer added", "beer delivered ok"], [key]]);
  });

  test("an outbox entry that cannot be stored is removed and never sent, and other entries are kept", async () => {
    const { shared, writing } = slowStorage(storage);
    const tab = openTab(shared, fails(0));
    await storage.add(storedBefore);
    drink(tab);
    writing.reject(new DOMException("The disk is full.", "QuotaExceededError"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tab.story).toEqual(["beer added", "beer added", "beer not saved"]);
    expect(new Set(keysOf(tab))).toEqual(new Set([storedBefore.beer]));
    expect(tab.outbox.entries.get()).toMatchObject([{ id: storedBefore.id }]);
  });

  const storedBefore: OutboxEntry = {
    id: "stored-before",
    endpoint: "drinkBeer",
    beer: "stored-before",
    memberId: anna,
    postedAt: 0,
    isRefused: false,
    failures: 1,
  };
});

test("a refused outbox entry survives a reload and can be retried under the same key", async () => {
  const tab = openTab(storage, fails(403));
  const key = drink(tab);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tab.story).toEqual(["beer added", "beer refused Fehler 403"]);
  tab.outbox.dispose();
  const later = openTab(storage, ok);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([later.story, keysOf(later)]).toEqual([[], []]);
  await later.outbox.retry(key);
  await vi.advanceTimersByTimeAsync(0);
  expect([later.story, keysOf(later)]).toEqual([["beer added", "beer delivered ok"], [key]]);
});

test("a refused outbox entry can be discarded and is then sent by no tab", async () => {
  const tab = openTab(storage, fails(403));
  const other = openTab(storage, ok);
  const key = drink(tab);
  await vi.advanceTimersByTimeAsync(60_000);
  await tab.outbox.discard(key);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([tab.outbox.entries.get(), other.outbox.entries.get(), await storage.list()]).toEqual([[], [], []]);
  expect([tab.story, other.sent]).toEqual([["beer added", "beer refused Fehler 403"], []]);
});

test("sendAll() also sends what the storage lists only after start()", async () => {
  const list = vi.spyOn(storage, "list").mockResolvedValue([]);
  const earlier = createTab(storage, anna, fails(0));
  drink(earlier);
  await vi.advanceTimersByTimeAsync(0);
  earlier.outbox.dispose();
  const tab = openTab(storage, ok);
  await vi.advanceTimersByTimeAsync(0);
  list.mockRestore();
  tab.outbox.sendAll();
  await vi.advanceTimersByTimeAsync(0);
  expect(tab.story).toEqual(["beer added", "beer delivered ok"]);
});

test("outbox entries of one member are neither shown nor sent until that member logs in again", async () => {
  const tab = openTab(storage, fails(401));
  const key = drink(tab);
  await vi.advanceTimersByTimeAsync(0);
  tab.outbox.dispose();
  const ofBen = createTab(storage, ben, ok);
  ofBen.outbox.start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([keysOf(tab), ofBen.story, ofBen.sent, ofBen.outbox.entries.get()]).toEqual([[key], [], [], []]);
  const later = openTab(storage, ok);
  await vi.advanceTimersByTimeAsync(0);
  expect(later.story).toEqual(["beer added", "beer delivered ok"]);
  expect(keysOf(later)).toEqual([key]);
});

test("sendAll() sends an outbox entry that waits for a retry at once, and only once", async () => {
  const tab = openTab(storage, fails(0), fails(0), fails(0), fails(0), ok);
  drink(tab);
  await vi.advanceTimersByTimeAsync(5000);
  expect(keysOf(tab)).toHaveLength(4);
  tab.outbox.sendAll();
  tab.outbox.sendAll();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(keysOf(tab)).toHaveLength(5);
  expect(tab.story.at(-1)).toBe("beer delivered ok");
});

describe("stored entries", () => {
  test("a stored outbox entry is sent after a reload with the time of its tap", async () => {
    const tab = openTab(storage, fails(0));
    drink(tab);
    await vi.advanceTimersByTimeAsync(0);
    const { postedAt } = tab.outbox.entries.get()[0]!;
    tab.outbox.dispose();
    await vi.advanceTimersByTimeAsync(3_600_000);
    const reloaded = openTab(storage, ok);
    await vi.advanceTimersByTimeAsync(0);
    expect(reloaded.story).toEqual(["beer added", "beer delivered ok"]);
    expect(reloaded.sent).toMatchObject([{ postedAt }]);
    expect(await storage.list()).toEqual([]);
  });

  test("every tab shows the same outbox entries, and removes an entry once one tab has sent it", async () => {
    const one = openTab(storage, fails(0), ok);
    const other = openTab(storage, ok);
    drink(one);
    await vi.advanceTimersByTimeAsync(0);
    expect(other.outbox.entries.get()).toEqual(one.outbox.entries.get());
    await vi.advanceTimersByTimeAsync(5000);
    expect(one.story.concat(other.story).filter((line) => line.includes("delivered"))).toHaveLength(2);
    expect([one.outbox.entries.get(), other.outbox.entries.get(), await storage.list()]).toEqual([[], [], []]);
  });
});

test("flush() retries every outbox entry and returns the number of remaining entries, and clear() deletes these entries", async () => {
  const tab = openTab(storage, fails(0), ok, fails(0));
  drink(tab);
  await vi.advanceTimersByTimeAsync(0);
  const first = tab.outbox.flush();
  await vi.advanceTimersByTimeAsync(400);
  expect(await first).toBe(0);
  drink(tab);
  const second = tab.outbox.flush();
  await vi.advanceTimersByTimeAsync(5000);
  expect(await second).toBe(1);
  await tab.outbox.clear();
  expect([tab.outbox.entries.get(), await storage.list()]).toEqual([[], []]);
  const tries = tab.sent.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tab.sent).toHaveLength(tries);
});
