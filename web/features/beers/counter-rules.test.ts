import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  addPersistedTap,
  addTap,
  answerTap,
  applyEvent,
  findOwnCount,
  applyFetched,
  applyReply,
  createCounterState,
  displayedCounters,
  isOutdated,
  removeBooked,
  removeTap,
  storableCounters,
  type CountersReply,
  type CounterState,
} from "./counter-rules.ts";

const me = 1;
const other = 2;
const start = createCounterState({ group: 100, own: 10 }, 50);

/** Creates a replay with a `null` version. */
const reply = (group: number, own: number, version: number | null): CountersReply => ({
  group,
  own,
  version,
});
/** Applies an event without the member's own count. */
const onEvent = (state: CounterState, counterVal: number, version: number, userId: number | null): CounterState =>
  applyEvent(state, { counterVal, version }, userId === other ? null : undefined);

function shown(state: CounterState): [group: number, own: number] {
  const { group, own } = displayedCounters(state);
  return [group, own];
}

describe("a tap", () => {
  test("a tap counts at once, before the server answers", () => {
    expect(shown(addTap(start))).toEqual([101, 11]);
  });

  test("a tap counts once if its answer arrives before the event of the same beer", () => {
    const answered = answerTap(addTap(start), reply(101, 11, 51));
    const after = onEvent(answered, 101, 51, me);
    expect([shown(after), isOutdated(after)]).toEqual([[101, 11], false]);
  });

  test("a tap counts once if the event of its beer arrives before the answer", () => {
    const before = onEvent(addTap(start), 101, 51, me);
    expect([shown(before), isOutdated(before)]).toEqual([[101, 11], true]);
    const after = answerTap(before, reply(101, 11, 51));
    expect([shown(after), isOutdated(after)]).toEqual([[101, 11], false]);
  });

  test("two quick taps count as two beers in any order of their answers", () => {
    const twice = addTap(addTap(start));
    expect(shown(twice)).toEqual([102, 12]);
    const second = answerTap(twice, reply(102, 12, 52));
    expect(shown(second)).toEqual([102, 12]);
    expect(shown(answerTap(second, reply(101, 11, 51)))).toEqual([102, 12]);
  });

  test("another member's beer that is booked between a tap and its answer counts once", () => {
    const theirs = onEvent(addTap(start), 101, 51, other);
    const mine = answerTap(theirs, reply(102, 11, 52));
    expect([shown(mine), isOutdated(mine)]).toEqual([[102, 11], false]);
  });

  test("a tap is subtracted from the counts after the server has refused it", () => {
    expect(shown(removeTap(addTap(start)))).toEqual([100, 10]);
    expect(shown(removeTap(addTap(addTap(start))))).toEqual([101, 11]);
  });

  test("a tap whose answer is lost or repeats an earlier answer is added to the counts until the counters are refetched", () => {
    const later = onEvent(addTap(start), 110, 60, other);
    for (const answer of [reply(101, 11, null), null]) {
      const answered = answerTap(later, answer);
      expect([shown(answered), isOutdated(answered)]).toEqual([[110, 11], true]);
      expect(shown(applyFetched(answered, reply(111, 12, 61), 60))).toEqual([111, 12]);
    }
  });

  test.each([100, 101])(
    "a pending tap counts once after a reload if the server first reports a total of %i",
    (total) => {
      const own = total - 90;
      const booked = applyFetched(addTap(start), reply(101, 11, 51), 50);
      for (const tapped of [addTap(start), onEvent(addTap(start), 101, 51, me), booked]) {
        const kept = storableCounters(tapped);
        const reloaded = { ...createCounterState(kept), kept };
        expect(shown(addPersistedTap(reloaded))).toEqual([101, 11]);
        expect(shown(addPersistedTap(applyFetched(reloaded, reply(total, own, 51), 0)))).toEqual([101, 11]);
      }
    },
  );

  test("a beer tapped by the same member on another device makes the member's count outdated", () => {
    expect(isOutdated(onEvent(start, 101, 51, me))).toBe(true);
    expect(isOutdated(onEvent(start, 101, 51, other))).toBe(false);
  });
});

describe("an undo", () => {
  test("an undone beer is subtracted at once, and not again when the server answers", () => {
    const gone = removeBooked(start);
    expect(shown(gone)).toEqual([99, 9]);
    expect(shown(applyReply(gone, reply(99, 9, 51)))).toEqual([99, 9]);
  });

  test("a beer whose undo was refused counts again after the counters are refetched", () => {
    expect(shown(applyFetched(removeBooked(start), reply(100, 10, 50), 50))).toEqual([100, 10]);
  });

  test("an undo of a booked beer lowers the shown counts at once, even while a tap is pending", () => {
    expect(shown(removeBooked(addTap(start)))).toEqual([100, 10]);
  });

  test("an undo event, which names no member, lowers the group's total and makes the member's count outdated", () => {
    const after = onEvent(start, 99, 51, null);
    expect([shown(after), isOutdated(after)]).toEqual([[99, 10], true]);
  });
});

describe("versions", () => {
  test("fetched counts with a newer counters version replace the known counts even if they are lower", () => {
    expect(shown(applyFetched(start, reply(90, 9, 55), 50))).toEqual([90, 9]);
  });

  test("the group's total and the member's count each keep the value with the newest counters version", () => {
    const meanwhile = onEvent(start, 101, 52, other);
    expect(shown(applyFetched(meanwhile, reply(100, 9, 51), 50))).toEqual([101, 9]);
    expect(shown(onEvent(start, 99, 49, other))).toEqual([100, 10]);
  });

  test("fetched counts without a version replace the known counts, but not a group total that an event brought after the request", () => {
    expect(shown(applyFetched(start, reply(90, 9, null), 50))).toEqual([90, 9]);
    const meanwhile = onEvent(start, 101, 51, other);
    expect(shown(applyFetched(meanwhile, reply(100, 9, null), 50))).toEqual([101, 9]);
  });

  test("fetched counts with a lower counters version replace the known counts, as after a restore from a backup", () => {
    const waiting = addTap(start);
    const restored = applyFetched(waiting, reply(40, 4, 20), 50);
    expect([shown(restored), shown(removeTap(restored))]).toEqual([shown(waiting), [40, 4]]);
    expect(shown(onEvent(removeTap(restored), 41, 21, other))).toEqual([41, 4]);
  });
});

test("the counts never exceed the booked beers and end equal to the server's counts, in any order of answers and events", () => {
  const beers = fc.array(
    fc.record({
      isMine: fc.boolean(),
      // The first answer was lost, and a retry gets a replayed one.
      isReplay: fc.boolean(),
      answerAt: fc.nat(30),
      eventAt: fc.nat(30),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(beers, (drunk) => {
      let group = 100;
      let own = 10;
      let state = start;
      const arrivals: { at: number; arrive: (now: CounterState) => CounterState }[] = [];
      for (const [index, { isMine, isReplay, answerAt, eventAt }] of drunk.entries()) {
        const version = 51 + index;
        group += 1;
        if (isMine) {
          own += 1;
          state = addTap(state);
          const answer = reply(group, own, isReplay ? null : version);
          arrivals.push({ at: answerAt, arrive: (now) => answerTap(now, answer) });
        }
        const total = group;
        arrivals.push({ at: eventAt, arrive: (now) => onEvent(now, total, version, isMine ? me : other) });
      }
      for (const { arrive } of arrivals.toSorted((one, two) => one.at - two.at)) {
        const before = shown(state);
        state = arrive(state);
        const now = shown(state);
        expect(now[0]).toBeLessThanOrEqual(group);
        expect(now[1]).toBeLessThanOrEqual(own);
        expect(now[0]).toBeGreaterThanOrEqual(before[0]);
      }
      expect(isOutdated(state)).toBe(drunk.some(({ isMine, isReplay }) => isMine && isReplay));
      expect(shown(state)).toEqual([group, own]);
      const asked = applyFetched(state, reply(group, own, 50 + drunk.length), state.group.version);
      expect([asked.optimistic, isOutdated(asked), shown(asked)]).toEqual([null, false, [group, own]]);
    }),
  );
});

describe("an event with the counts of members", () => {
  const beer = { userId: me, totals: [[me, 11]] as [number, number][] };
  const person = { id: me, isRanked: true };

  test("the member's own count in an event is shown without a refetch", () => {
    const after = applyEvent(start, { counterVal: 101, version: 51 }, 11);
    expect([shown(after), isOutdated(after)]).toEqual([[101, 11], false]);
  });

  test("findOwnCount finds the member's own count in an event, even if the page has missed earlier changes", () => {
    expect([findOwnCount(beer, person, true), findOwnCount(beer, person, false)]).toEqual([11, 11]);
  });

  test("findOwnCount returns null for other members' beers, and undefined if the page has missed a change", () => {
    const others = { userId: null, totals: [[other, 5]] as [number, number][] };
    expect([findOwnCount(others, person, true), findOwnCount(others, person, false)]).toEqual([null, undefined]);
  });

  test("an event without a name may contain a beer of a quiet member, whose count it does not contain", () => {
    const quiet = { id: me, isRanked: false };
    expect(findOwnCount({ userId: null, totals: [] }, quiet, true)).toBeUndefined();
    expect(findOwnCount({ userId: other, totals: [[other, 5]] }, quiet, true)).toBeNull();
  });
});
