import { beforeEach, describe, expect, test, vi } from "vitest";

import type { OwnBeer } from "#contract/beercounter.ts";
import type { OutboxEntry } from "#web/data/outbox-storage.ts";
import { applyDelivery, throttle, formatTime, listPastBeers, pickSaying, sayings } from "./rules.ts";

describe("listPastBeers", () => {
  const own = (id: number, at: string, late = false, removable_seconds = 60): OwnBeer => ({
    id,
    key: `key-${id}`,
    at: `2026-11-20T${at}:00.000Z`,
    late,
    kind: id === 2 ? "0,0" : null,
    removable_seconds,
  });
  const entry = (key: string, at: string, changes: Partial<OutboxEntry> = {}): OutboxEntry => ({
    key,
    memberId: 1,
    postedAt: Date.parse(`2026-11-20T${at}:00Z`),
    isTried: true,
    isRecalled: false,
    isRefused: false,
    failures: 1,
    ...changes,
  });

  test("the member's history lists booked and pending beers, newest first, without undone beers", () => {
    const past = listPastBeers(
      [own(1, "18:00", false, 0), own(2, "19:00"), own(3, "17:00", true), own(4, "16:00")],
      [
        entry("new", "20:00"),
        entry("no", "15:00", { isRefused: true, body: { kind: "0,0" } }),
        entry("key-2", "19:00"),
        entry("key-4", "16:00", { isRecalled: true }),
        entry("never-mind", "14:00", { isRecalled: true }),
      ],
    );
    expect(past.map(({ key, state, kind, isRemovable }) => [key, state, kind, isRemovable])).toEqual([
      ["new", "waiting", null, true],
      ["key-2", "booked", "0,0", true],
      ["key-1", "booked", null, false],
      ["key-3", "late", null, true],
      ["no", "refused", "0,0", true],
    ]);
  });

  test("the history keeps a beer that was just booked and omits a beer that was just undone", () => {
    const known = [own(1, "18:00"), own(2, "19:00")];
    const delivered = [entry("new", "20:00", { body: { kind: "0,0" } }), entry("key-1", "18:00", { isRecalled: true })];
    const past = listPastBeers(delivered.reduce(applyDelivery, known as readonly OwnBeer[]), []);
    expect(past.map(({ key, state, kind, isRemovable }) => [key, state, kind, isRemovable])).toEqual([
      ["new", "booked", "0,0", true],
      ["key-2", "booked", "0,0", true],
    ]);
    expect(applyDelivery(known, entry("key-2", "19:00"))).toHaveLength(2);
  });
});

test.each([
  ["2026-11-20T20:43:00Z", "21:43"],
  ["2026-11-20T01:05:00Z", "02:05"],
  ["2026-11-19T22:59:00Z", "Do. 23:59"],
])("the time of a beer drunk at %s is shown on Friday evening in Berlin as “%s”", (at, shown) => {
  expect(formatTime(Date.parse(at), Date.parse("2026-11-20T21:00:00Z"), "Europe/Berlin")).toBe(shown);
});

test("pickSaying returns each of the eleven sayings, with an exclamation mark", () => {
  expect(new Set(sayings).size).toBe(11);
  expect(Array.from({ length: 11 }, (_, index) => pickSaying(index / 11))).toEqual(
    sayings.map((saying) => `${saying}!`),
  );
  expect(pickSaying(0.999_999)).toBe(`${sayings[10]}!`);
});

describe("throttle", () => {
  beforeEach(() => void vi.useFakeTimers());

  test("throttle turns a burst of calls into one run at once and one run afterwards", async () => {
    const work = vi.fn(() => new Promise((resolve) => setTimeout(resolve, 200)));
    const load = throttle(work, 500);
    for (let calls = 0; calls < 20; calls += 1) load();
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(499);
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(5000);
    expect(work).toHaveBeenCalledTimes(2);
    load();
    expect(work).toHaveBeenCalledTimes(3);
  });

  test("throttle runs again after a failed run", async () => {
    const work = vi.fn(() => Promise.reject(new Error("offline")));
    const load = throttle(work, 100);
    load();
    load();
    await vi.advanceTimersByTimeAsync(1000);
    expect(work).toHaveBeenCalledTimes(2);
  });
});
