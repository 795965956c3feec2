import { expect, test } from "vitest";

import type { CounterEvent } from "#contract/beercounter.ts";
import { mergeTotals } from "./rules.ts";

/** The event of a beer; `name` is `null` for a change that names no member. */
function beerOf(name: string | null, version: number): CounterEvent {
  const userId = name === null ? null : name.charCodeAt(0);
  return { counterVal: 100 + version, userId, userName: name, avatarId: name && `${name}.png`, version };
}

const merge = (...events: CounterEvent[]) => events.reduce((earlier, later) => mergeTotals(earlier, later));
const idOf = (name: string) => name.charCodeAt(0);

test("a counter event merged from several has the newest total, and names the drinkers of all of them, newest first", () => {
  const merged = merge(beerOf("Anna", 1), beerOf("Ben", 2), beerOf("Clara", 3));
  expect(merged).toEqual({
    ...beerOf("Clara", 3),
    others: { userIds: [idOf("Ben"), idOf("Anna")], names: ["Ben", "Anna"], isMore: false },
  });
});

test("a counter event merged from several names each drinker only once", () => {
  const merged = merge(beerOf("Anna", 1), beerOf("Ben", 2), beerOf("Anna", 3));
  expect(merged).toMatchObject({ userName: "Anna", others: { userIds: [idOf("Ben")], names: ["Ben"] } });
});

test("a counter event merged from several is marked with isMore if one of them names no member", () => {
  const merged = merge(beerOf("Anna", 1), beerOf(null, 2));
  expect(merged).toEqual({
    ...beerOf("Anna", 1),
    counterVal: 102,
    version: 2,
    others: { userIds: [], names: [], isMore: true },
  });
});

test("a counter event merged from several has the ids of all drinkers, but the names of only four", () => {
  const merged = merge(
    ...["Anna", "Ben", "Clara", "Dirk", "Emil", "Frida"].map((name, index) => beerOf(name, index + 1)),
  );
  expect(merged.userName).toBe("Frida");
  expect(merged.others?.userIds).toEqual(["Emil", "Dirk", "Clara", "Ben", "Anna"].map(idOf));
  expect(merged.others?.names).toEqual(["Emil", "Dirk", "Clara"]);
});

test("counter events that arrive in the wrong order are merged in the order of their versions", () => {
  expect(merge(beerOf("Ben", 2), beerOf("Anna", 1))).toEqual(merge(beerOf("Anna", 1), beerOf("Ben", 2)));
});
