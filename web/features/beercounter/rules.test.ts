import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { Drinker, OwnBeer } from "#contract/beercounter.ts";
import type { OutboxEntry } from "#web/platform/outbox-storage.ts";

import {
  applyFetched,
  listAverages,
  barHeight,
  applyReply,
  coalesce,
  festiveYear,
  applyEvent,
  listPastBeers,
  formatNumber,
  isEmptyWeek,
  isSaying,
  formatNames,
  rankDrinkers,
  pickSaying,
  sayings,
  clearPromised,
  displayedCounters,
  addTap,
  listThisWeek,
  formatTime,
  removeBooked,
  removeTap,
  weekdayIndex,
  type CounterState,
} from "./rules.ts";

const start: CounterState = {
  known: { KSKCounterVal: 100, userCounterVal: 10 },
  promised: null,
  version: 50,
  step: 1,
  isStale: false,
};
const counts = (group: number, own: number): { KSKCounterVal: number; userCounterVal: number } => ({
  KSKCounterVal: group,
  userCounterVal: own,
});
const event = (counterVal: number, version: number, userId: number | null = 7): Parameters<typeof applyEvent>[1] => ({
  counterVal,
  version,
  userId,
});

test.each([
  [["Anna"], "Anna"],
  [["Anna", "Bert"], "Anna und Bert"],
  [["Anna", "Bert", "Carla"], "Anna, Bert und Carla"],
  [["Anna", "Bert", "Carla", "David"], "Anna, Bert und 2 weitere"],
  [["Anna", "Bert", "Carla", "David", "Emil"], "Anna, Bert und 3 weitere"],
])("%j is told as %j", (names, words) => {
  expect(formatNames(names)).toBe(words);
});

describe("one tap is one beer", () => {
  test("at once, before the server knows", () => {
    expect(displayedCounters(addTap(start))).toEqual(counts(101, 11));
  });

  test("when the answer comes before the event", () => {
    const after = applyEvent(clearPromised(applyReply(addTap(start), counts(101, 11))), event(101, 51));
    expect(after && displayedCounters(after)).toEqual(counts(101, 11));
  });

  test("when the event comes before the answer", () => {
    const before = applyEvent(addTap(start), event(101, 51));
    expect(before && displayedCounters(before)).toEqual(counts(101, 11));
    expect(before && displayedCounters(clearPromised(applyReply(before, counts(101, 11))))).toEqual(counts(101, 11));
  });

  test("two quick taps are two beers, whichever answer overtakes the other", () => {
    const twice = addTap(addTap(start));
    expect(displayedCounters(twice)).toEqual(counts(102, 12));
    const second = applyReply(twice, counts(102, 12));
    expect(displayedCounters(clearPromised(applyReply(second, counts(101, 11))))).toEqual(counts(102, 12));
  });

  test("somebody else's beer in between counts too, once", () => {
    const theirs = applyEvent(addTap(start), event(101, 51));
    const mine = theirs && applyEvent(theirs, event(102, 52));
    expect(mine && displayedCounters(clearPromised(applyReply(mine, counts(102, 11))))).toEqual(counts(102, 11));
  });

  test("a refused tap is taken back", () => {
    expect(displayedCounters(removeTap(addTap(start)))).toEqual(counts(100, 10));
    expect(displayedCounters(clearPromised(removeTap(addTap(addTap(start)))))).toEqual(counts(100, 10));
  });

  test("a repeated answer is as old as its beer and changes nothing", () => {
    const later = applyEvent(start, event(110, 60));
    expect(later && displayedCounters(applyReply(later, counts(101, 11)))).toEqual(counts(110, 11));
  });

  test("before anything is known a tap's answer is the first to know", () => {
    expect(displayedCounters(applyReply(undefined, counts(1, 1)))).toEqual(counts(1, 1));
  });
});

describe("a beer that is taken back", () => {
  test("is gone at once, and stays gone until an answer says the truth", () => {
    const gone = removeBooked(start);
    expect(displayedCounters(gone)).toEqual(counts(99, 9));
    expect(gone.isStale).toBe(true);
    const late = applyFetched(gone, counts(100, 10), start.step);
    expect(late.isStale).toBe(true);
    const truth = applyFetched(late, counts(99, 9), late.step);
    expect([displayedCounters(truth), truth.isStale]).toEqual([counts(99, 9), false]);
  });

  test("lowers what was promised for the taps that are still out", () => {
    expect(displayedCounters(removeBooked(addTap(start)))).toEqual(counts(100, 10));
  });

  test("by somebody else makes the count doubtful, because an event alone never counts down", () => {
    const after = applyEvent(start, event(99, 51, null));
    expect(after && [displayedCounters(after), after.isStale]).toEqual([counts(100, 10), true]);
    const busy = after && applyEvent(after, event(100, 52));
    expect(busy?.isStale).toBe(true);
  });
});

test("the history has what the server knows and what waits, the last beer first, without what was taken back", () => {
  const own = (id: number, at: string, late = false, removable_seconds = 60): OwnBeer => ({
    ...{ id, key: `key-${id}`, at: `2026-11-20T${at}:00.000Z`, late, removable_seconds },
  });
  const parcel = (key: string, at: string, changes: Partial<OutboxEntry> = {}): OutboxEntry => ({
    ...{ key, memberId: 1, postedAt: Date.parse(`2026-11-20T${at}:00Z`), failures: 1 },
    ...{ isTried: true, isRecalled: false, isRefused: false, ...changes },
  });
  const past = listPastBeers(
    [own(1, "18:00", false, 0), own(2, "19:00"), own(3, "17:00", true), own(4, "16:00")],
    [
      parcel("new", "20:00"),
      parcel("no", "15:00", { isRefused: true }),
      parcel("key-2", "19:00"),
      parcel("key-4", "16:00", { isRecalled: true }),
      parcel("never-mind", "14:00", { isRecalled: true }),
    ],
  );
  expect(past.map(({ key, state, isRemovable }) => [key, state, isRemovable])).toEqual([
    ["new", "waiting", true],
    ["key-2", "booked", true],
    ["key-1", "booked", false],
    ["key-3", "late", true],
    ["no", "refused", true],
  ]);
});

test.each([
  ["2026-11-20T20:43:00Z", "21:43"],
  ["2026-11-20T01:05:00Z", "02:05"],
  ["2026-11-19T22:59:00Z", "Do. 23:59"],
])("a beer at %s is shown as %s on Friday evening in Berlin", (at, shown) => {
  expect(formatTime(Date.parse(at), Date.parse("2026-11-20T21:00:00Z"), "Europe/Berlin")).toBe(shown);
});

test("an event that is not newer is ignored whole", () => {
  expect(applyEvent(start, event(99, 50))).toBeNull();
  expect(applyEvent(start, event(500, 49))).toBeNull();
});

test("an answer is the truth, even a smaller one, unless something newer came after the question", () => {
  expect(displayedCounters(applyFetched(start, counts(90, 9), start.step))).toEqual(counts(90, 9));
  const meanwhile = applyEvent(start, event(101, 51));
  expect(meanwhile && displayedCounters(applyFetched(meanwhile, counts(100, 10), start.step))).toEqual(counts(101, 10));
  expect(displayedCounters(applyFetched(undefined, counts(5, 1), 0))).toEqual(counts(5, 1));
});

test("in any order of answers and events the screen never runs ahead of the taps and ends at the truth", () => {
  const order = fc.array(
    fc.record({ who: fc.constantFrom("me", "other"), answerAt: fc.nat(30), eventAt: fc.nat(30) }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(order, (beers) => {
      let group = 100;
      let own = 10;
      const arrivals: { at: number; arrive: (tally: CounterState) => CounterState }[] = [];
      let tally = start;
      for (const [index, beer] of beers.entries()) {
        group += 1;
        if (beer.who === "me") {
          own += 1;
          tally = addTap(tally);
          const reply = counts(group, own);
          arrivals.push({ at: beer.answerAt, arrive: (now) => applyReply(now, reply) });
        }
        const news = event(group, 51 + index);
        arrivals.push({ at: beer.eventAt, arrive: (now) => applyEvent(now, news) ?? now });
      }
      for (const { arrive } of arrivals.toSorted((one, other) => one.at - other.at)) {
        const before = displayedCounters(tally);
        tally = arrive(tally);
        const now = displayedCounters(tally);
        expect(now.KSKCounterVal).toBeLessThanOrEqual(group);
        expect(now.userCounterVal).toBeLessThanOrEqual(own);
        expect(now.KSKCounterVal).toBeGreaterThanOrEqual(before.KSKCounterVal);
      }
      expect(displayedCounters(clearPromised(tally))).toEqual(counts(group, own));
    }),
  );
});

test("eleven sayings, each with one exclamation mark", () => {
  expect(new Set(sayings).size).toBe(11);
  expect(Array.from({ length: 11 }, (_, index) => pickSaying(index / 11))).toEqual(
    sayings.map((saying) => `${saying}!`),
  );
  expect(pickSaying(0.999_999)).toBe(`${sayings[10]}!`);
  expect(sayings.every((saying) => isSaying(`${saying}!`))).toBe(true);
  expect(isSaying("Prost!")).toBe(false);
});

test.each([
  [0, [0, 0], 0],
  [1, [1], 100],
  [1, [1, 3], 33.33],
  [2, [3, 2], 66.67],
  [5, [], 0],
])("%i of %j is %d per cent of the highest", (value, values, height) => {
  expect(barHeight(value, values)).toBe(height);
});

test("the ranking begins with the most beers, equals by name", () => {
  const drinker = (name: string, beers: number): Drinker => ({
    id: beers,
    name,
    uname: name,
    profile_picture: null,
    beercounter_entries_count: beers,
  });
  const all = [drinker("Öz", 3), drinker("Anna", 0), drinker("Zoe", 3), drinker("Bernd", 7)];
  expect(rankDrinkers(all).map(({ name }) => name)).toEqual(["Bernd", "Öz", "Zoe", "Anna"]);
});

test("the week runs from Montag to Sonntag, and a missing number counts as 0", () => {
  const stats = { thisWeek: [1, 0, 4], allWeeks: [1.5, 0, 0, 0, 0, 0, 3] };
  expect(listThisWeek(stats).map(({ day, value, height }) => [day, value, height])).toEqual([
    ["Montag", 1, 25],
    ["Dienstag", 0, 0],
    ["Mittwoch", 4, 100],
    ["Donnerstag", 0, 0],
    ["Freitag", 0, 0],
    ["Samstag", 0, 0],
    ["Sonntag", 0, 0],
  ]);
  expect(listAverages(stats).map(({ day }) => day)).toEqual([
    "montags",
    "dienstags",
    "mittwochs",
    "donnerstags",
    "freitags",
    "samstags",
    "sonntags",
  ]);
  expect(listAverages(stats)[0]).toMatchObject({ value: 1.5, height: 50, short: "Mo" });
  expect(isEmptyWeek(stats)).toBe(false);
  expect(isEmptyWeek({ thisWeek: [0, 0, 0, 0, 0, 0, 0], allWeeks: [] })).toBe(true);
});

test("a week begins on Monday, also at its seam", () => {
  expect(weekdayIndex(new Date("2026-11-22T22:59:59Z"), "Europe/Berlin")).toBe(6);
  expect(weekdayIndex(new Date("2026-11-22T23:00:00Z"), "Europe/Berlin")).toBe(0);
});

test("numbers are written as in German", () => {
  expect([0, 1.5, 1234, 1_234_567, 14.33].map(formatNumber)).toEqual(["0", "1,5", "1.234", "1.234.567", "14,33"]);
});

test.each<[string, number[], number | null]>([
  ["2026-11-30", [2025], null],
  ["2026-12-01", [2026, 2025], 2026],
  ["2027-01-31", [2026], 2026],
  ["2027-02-01", [2026], null],
  ["2026-12-24", [2025], null],
  ["2027-01-01", [2024], null],
])("on %s the years %j are celebrated as %j", (today, years, festive) => {
  expect(festiveYear({ today, years: years.map((year) => ({ year, final: true })) })).toBe(festive);
});

describe("a burst of wishes", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("is one run at once and one after it", async () => {
    const work = vi.fn(() => new Promise((resolve) => setTimeout(resolve, 200)));
    const load = coalesce(work, 500);
    for (let wishes = 0; wishes < 20; wishes += 1) load();
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(499);
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(5000);
    expect(work).toHaveBeenCalledTimes(2);
    load();
    expect(work).toHaveBeenCalledTimes(3);
  });

  test("goes on after a failed run", async () => {
    const work = vi.fn(() => Promise.reject(new Error("offline")));
    const load = coalesce(work, 100);
    load();
    load();
    await vi.advanceTimersByTimeAsync(1000);
    expect(work).toHaveBeenCalledTimes(2);
  });
});
