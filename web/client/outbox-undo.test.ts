import { beforeEach, expect, test, vi } from "vitest";

import { drink, fails, ok, openStorage, openTab, slowStorage, undo } from "#test/web/outbox-tab.ts";
import { isUndo } from "./outbox-rules.ts";
import type { OutboxStorage } from "./outbox-storage.ts";

let storage: OutboxStorage;
beforeEach(() => {
  storage = openStorage();
});

test("a beer can be undone while the browser is storing it", async () => {
  const { shared, writing } = slowStorage(storage);
  const tab = openTab(shared, ok);
  const undoing = undo(tab, drink(tab));
  writing.resolve();
  await undoing;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tab.story).toEqual(["beer added", "undo added in time", "undo delivered ok"]);
  expect([tab.outbox.entries.get(), await storage.list()]).toEqual([[], []]);
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
