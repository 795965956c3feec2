import { expect, test } from "vitest";

import { createPicker, dealDoors, type DealingInputs, describeNextTask } from "./lottery-rules.ts";

const days = (...numbers: number[]) => numbers.map((number) => `2026-12-${String(number).padStart(2, "0")}`);
const allDays = days(...Array.from({ length: 24 }, (_, index) => index + 1));

function membersOf(doors: readonly number[], movable: readonly (readonly string[])[] = []): DealingInputs["members"] {
  return doors.map((count, index) => ({ id: index + 1, doors: count, movable: movable[index] ?? [] }));
}

/** Returns the number of doors that each member has after a dealing, in the order of the inputs. */
function countAfter({ members }: DealingInputs, dealt: ReturnType<typeof dealDoors>): number[] {
  return members.map(
    ({ id, doors }) =>
      doors + dealt.filter(({ to }) => to === id).length - dealt.filter(({ from }) => from === id).length,
  );
}

test("dealDoors assigns the same calendar doors to the same members for the same seed and inputs", () => {
  const inputs = { dates: allDays, members: membersOf([0, 0, 0, 0, 0]) };
  const seed = "00112233445566778899aabbccddeeff";
  expect(dealDoors(inputs, seed)).toEqual(dealDoors(JSON.parse(JSON.stringify(inputs)) as DealingInputs, seed));
  expect(dealDoors(inputs, seed)).not.toEqual(dealDoors(inputs, "f".repeat(32)));
  // Detects a changed algorithm, which would make earlier dealings impossible to verify.
  const doorsOfFirst = dealDoors(inputs, seed).filter(({ to }) => to === 1);
  expect(doorsOfFirst.map(({ date }) => date)).toMatchInlineSnapshot(`
    [
      "2026-12-06",
      "2026-12-08",
      "2026-12-10",
      "2026-12-11",
      "2026-12-13",
    ]
  `);
});

test("the random function that createPicker returns picks all numbers below a limit about equally often", () => {
  const pick = createPicker("a seed");
  const counts = Array<number>(7).fill(0);
  for (let round = 0; round < 7000; round += 1) counts[pick(7)]! += 1;
  expect(
    counts.every((count) => count > 850 && count < 1150),
    counts.join(" "),
  ).toBe(true);
});

test.each([1, 2, 3, 5, 7, 23, 24, 25, 40])(
  "dealDoors gives %i members almost equally many calendar doors, with a difference of at most one",
  (count) => {
    const inputs = { dates: allDays, members: membersOf(Array<number>(count).fill(0)) };
    for (const seed of ["a", "b", "c"]) {
      const dealt = dealDoors(inputs, seed);
      const after = countAfter(inputs, dealt);
      expect(dealt.map(({ date }) => date)).toEqual(allDays);
      expect(Math.max(...after) - Math.min(...after)).toBeLessThan(2);
    }
  },
);

test("dealDoors assigns no calendar door if there are no members", () => {
  expect(dealDoors({ dates: allDays, members: [] }, "a")).toEqual([]);
});

test.each<[string, number[], string[][], number[]]>([
  [
    "a new member gets doors of the members with the most doors",
    [12, 12, 0],
    [allDays.slice(0, 12), allDays.slice(12), []],
    [8, 8, 8],
  ],
  ["doors that are filled or whose day has begun do not move", [12, 12, 0], [days(20), days(24), []], [11, 11, 2]],
  [
    "no door moves between members whose numbers of doors differ by one",
    [5, 5, 4],
    [days(1, 2), days(3), []],
    [5, 5, 4],
  ],
  ["a member whose doors cannot move keeps them", [9, 3, 2], [[], days(1, 2, 3), days(4)], [9, 3, 2]],
])("dealDoors: %s", (_, doors, movable, expected) => {
  const inputs = { dates: [], members: membersOf(doors, movable) };
  const dealt = dealDoors(inputs, "a seed");
  expect(countAfter(inputs, dealt)).toEqual(expected);
  for (const { date, from } of dealt) expect(movable[from! - 1]).toContain(date);
  expect(new Set(dealt.map(({ date }) => date)).size).toBe(dealt.length);
});

test("dealDoors gives free calendar doors to members before it takes a door from one member for another", () => {
  const inputs = { dates: days(23, 24), members: membersOf([3, 3, 0], [days(1, 2, 3), days(4, 5, 6), []]) };
  const dealt = dealDoors(inputs, "a seed");
  expect(dealt.map(({ date, to, from }) => [date, to, from])).toEqual([
    ["2026-12-23", 3, null],
    ["2026-12-24", 3, null],
  ]);
});

test.each([
  [[], undefined, undefined, null],
  [[5], undefined, undefined, "Türchen 5 wartet auf dein Bild."],
  [[3, 20], undefined, undefined, "Türchen 3 und 20 warten auf deine Bilder."],
  [[1, 2, 3, 4, 5], undefined, undefined, "5 Türchen warten auf deine Bilder."],
  [[3, 20], "Ben", undefined, "Ben möchte ein Türchen mit dir tauschen."],
  [[3, 20], "Ben", "2026-12-01", "Türchen 1 ist dran: Mach es auf!"],
])(
  "describeNextTask for the empty doors %j, a swap offer from %s and the closed door %s returns: %s",
  (numbers, asking, closed, line) => {
    expect(describeNextTask({ empty: days(...numbers), asking, closed })).toBe(line);
  },
);
