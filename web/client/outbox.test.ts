import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { ApiError } from "./api.ts";
import { isUndo, type OutboxEntry } from "./outbox-rules.ts";
import { createOutboxStorage, type OutboxStorage } from "./outbox-storage.ts";
import { createOutbox, type Outbox, type OutboxEvent } from "./outbox.ts";

const anna = 1;
const ben = 2;
type Try = (entry: OutboxEntry) => Promise<string>;

interface Tab {
  readonly outbox: Outbox;
  /** The events in words. */
  readonly story: string[];
  readonly sent: OutboxEntry[];
}

/**
 * Creates a tab whose attempts to send have these results; the last one repeats. A shared storage means one browser.
 */
function createTab(shared: OutboxStorage, memberId: number, ...tries: Try[]): Tab {
  const story: string[] = [];
  const sent: OutboxEntry[] = [];
  const outbox = createOutbox({
    memberId,
    storage: shared,
    async send(entry) {
      sent.push(entry);
      const reply = await (tries[sent.length - 1] ?? tries.at(-1)!)(entry);
      return { reply, headers: new Headers() };
    },
  });
  outbox.listen((event) => void story.push(describeEvent(event)));
  return { outbox, story, sent };
}

function describeEvent(event: OutboxEvent): string {
  const what = isUndo(event.entry) ? "undo" : "beer";
  switch (event.type) {
    case "added":
      return `${what} added${event.removed ? " in time" : ""}`;
    case "notSaved":
      return `${what} not saved`;
    case "delivered":
      return `${what} delivered ${JSON.stringify(event.answer?.reply ?? null).replaceAll('"', "")}`;
    case "refused":
      return `${what} refused ${event.reason}`;
  }
}

function openTab(shared: OutboxStorage, ...tries: Try[]): Tab {
  const tab = createTab(shared, anna, ...tries);
  tab.outbox.start();
  return tab;
}

const drink = ({ outbox }: Tab): string => outbox.add({ endpoint: "drinkBeer", body: {} });
const undo = ({ outbox }: Tab, key: string): Promise<void> =>
  outbox.undo(key, { endpoint: "undoTap", params: { key } });

const ok: Try = () => Promise.resolve("ok");
const fails =
  (status: number): Try =>
  () =>
    Promise.reject(new ApiError(status, `Fehler ${status}`));

let storage: OutboxStorage;
beforeEach(() => {
  // As on pages without https.
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("BroadcastChannel", Channel);
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

class Channel extends EventTarget {
  static readonly all = new Set<Channel>();

  constructor() {
    super();
    Channel.all.add(this);
  }

  postMessage(data: unknown): void {
    for (const other of Channel.all) if (other !== this) other.dispatchEvent(new MessageEvent("message", { data }));
  }

  close(): void {
    Channel.all.delete(this);
  }
}

const keysOf = ({ sent }: Tab) => sent.map(({ beer }) => beer);

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
  /** Writes only when the test settles `writing`. */
  function slowStorage(): { shared: OutboxStorage; writing: PromiseWithResolvers<void> } {
    const writing = Promise.withResolvers<void>();
    const add: OutboxStorage["add"] = async (...given) => {
      await writing.promise;
      await storage.add(...given);
    };
    return { shared: { ...storage, add }, writing };
  }

  test("a new outbox entry is shown at once and sent only after it is stored", async () => {
    const { shared, writing } = slowStorage();
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
    const { shared, writing } = slowStorage();
    const tab = openTab(shared, fails(0));
    await storage.add(storedBefore);
    drink(tab);
    writing.reject(new DOMException("The disk is full.", "QuotaExceededError"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tab.story).toEqual(["beer added", "beer added", "beer not saved"]);
    expect(new Set(keysOf(tab))).toEqual(new Set([storedBefore.beer]));
    expect(tab.outbox.entries.get()).toMatchObject([{ id: storedBefore.id }]);
  });

  test("a beer can be undone while the browser is storing it", async () => {
    const { shared, writing } = slowStorage();
    const tab = openTab(shared, ok);
    const undoing = undo(tab, drink(tab));
    writing.resolve();
    await undoing;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tab.story).toEqual(["beer added", "undo added in time", "undo delivered ok"]);
    expect([tab.outbox.entries.get(), await storage.list()]).toEqual([[], []]);
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

test("discarding a refused outbox entry that an unanswered attempt may have booked undoes it", async () => {
  const tab = openTab(storage, fails(0), fails(403), ok);
  const key = drink(tab);
  await vi.advanceTimersByTimeAsync(60_000);
  await tab.outbox.discard(key);
  await vi.advanceTimersByTimeAsync(0);
  expect(tab.sent.at(-1)).toMatchObject({ endpoint: "undoTap", params: { key }, beer: key });
  expect(tab.story.slice(2)).toEqual(["undo added in time", "undo delivered ok"]);
  expect(await storage.list()).toEqual([]);
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

describe("undo", () => {
  test("the undo of a delivered beer is sent until the server answers", async () => {
    const tab = openTab(storage, ok, fails(0), ok);
    const key = drink(tab);
    await vi.advanceTimersByTimeAsync(0);
    await undo(tab, key);
    await vi.advanceTimersByTimeAsync(5000);
    expect(tab.story).toEqual(["beer added", "beer delivered ok", "undo added", "undo delivered ok"]);
    expect(tab.sent.map(({ endpoint, beer }) => [endpoint, beer])).toEqual([
      ["drinkBeer", key],
      ["undoTap", key],
      ["undoTap", key],
    ]);
    expect(await storage.list()).toEqual([]);
  });

  test("the undo of a beer in flight is sent after the beer's answer", async () => {
    const arriving = Promise.withResolvers<string>();
    const tab = openTab(storage, () => arriving.promise, ok);
    const key = drink(tab);
    await vi.advanceTimersByTimeAsync(0);
    await undo(tab, key);
    await vi.advanceTimersByTimeAsync(5000);
    expect(tab.sent).toHaveLength(1);
    arriving.resolve("late");
    await vi.advanceTimersByTimeAsync(5000);
    expect(tab.story).toEqual(["beer added", "undo added in time", "undo delivered ok"]);
    expect(tab.sent.map(({ endpoint }) => endpoint)).toEqual(["drinkBeer", "undoTap"]);
  });

  test("a beer that waits for a connection and is undone in another tab is not sent any more", async () => {
    const tab = openTab(storage, fails(0));
    const key = drink(tab);
    await vi.advanceTimersByTimeAsync(0);
    const other = openTab(storage, fails(0), ok);
    await vi.advanceTimersByTimeAsync(0);
    await undo(other, key);
    const sent = tab.sent.length + other.sent.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([...tab.sent, ...other.sent].slice(sent).filter((entry) => !isUndo(entry))).toEqual([]);
    expect([tab.outbox.entries.get(), other.outbox.entries.get(), await storage.list()]).toEqual([[], [], []]);
    for (const { story } of [tab, other]) {
      expect(story.slice(0, 2)).toEqual(["beer added", "undo added in time"]);
      expect(story.at(-1)).toMatch(/^undo delivered/);
    }
  });

  test("an undo survives a reload", async () => {
    const tab = openTab(storage, ok, fails(0));
    const key = drink(tab);
    await vi.advanceTimersByTimeAsync(0);
    await undo(tab, key);
    await vi.advanceTimersByTimeAsync(0);
    tab.outbox.dispose();
    const reloaded = openTab(storage, ok);
    await vi.advanceTimersByTimeAsync(0);
    expect(reloaded.sent).toMatchObject([{ endpoint: "undoTap", params: { key } }]);
    expect(await storage.list()).toEqual([]);
  });

  test("a refused undo shows the server's reason and is not kept", async () => {
    const tab = openTab(storage, ok, fails(403));
    const key = drink(tab);
    await vi.advanceTimersByTimeAsync(0);
    await undo(tab, key);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tab.story).toEqual(["beer added", "beer delivered ok", "undo added", "undo refused Fehler 403"]);
    expect(await storage.list()).toEqual([]);
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
