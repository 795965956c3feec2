import { expect, test } from "vitest";

import {
  describeFilled,
  describeUploads,
  describeMove,
  describeMoves,
  describeReplacing,
  findDoorInName,
  planPictures,
} from "./admin-rules.ts";

test.each([
  ["01.jpg", 1],
  ["24.png", 24],
  ["tuer-7.jpeg", 7],
  ["Türchen 07.png", 7],
  ["0.jpg", null],
  ["25.jpg", null],
  ["IMG_20261107.jpg", null],
  ["3 von 24.jpg", null],
  ["oma.jpg", null],
])("findDoorInName(“%s”) returns %s", (name, door) => {
  expect(findDoorInName(name)).toBe(door);
});

const ben = { id: 2, name: "Ben", avatarId: null };
/** Returns 24 doors: `filled` have a picture, `owned` belong to Ben. */
const doors = ({ filled = [], owned = [] }: { filled?: number[]; owned?: number[] }) =>
  Array.from({ length: 24 }, (_, index) => ({
    ...{ date: `2026-12-${String(index + 1).padStart(2, "0")}`, version: "", preview: null, text: null, opened: 0 },
    can_restore: false,
    is_filled: filled.includes(index + 1),
    owner: owned.includes(index + 1) ? ben : null,
    is_secret: false,
  }));
const placesOf = (planned: readonly { door: number; file: { name: string } }[]) =>
  planned.map(({ door, file }) => [door, file.name]);

test("planPictures uses the door number in a picture's file name, and puts pictures without a number behind free doors", () => {
  const files = ["oma.jpg", "02.jpg", "IMG_10.jpg", "bier.jpg"].map((name) => ({ name }));
  const { plan, leftOver } = planPictures(files, doors({ filled: [1] }));
  expect(placesOf(plan)).toEqual([
    [2, "02.jpg"],
    [3, "bier.jpg"],
    [4, "oma.jpg"],
    [10, "IMG_10.jpg"],
  ]);
  expect(leftOver).toEqual([]);
});

test("planPictures puts a second picture for a door behind a free door, and reports pictures for which no door is free", () => {
  const files = ["05 a.jpg", "05 b.jpg", "x.jpg"].map((name) => ({ name }));
  const others = Array.from({ length: 24 }, (_, index) => index + 1).filter((door) => door !== 5 && door !== 9);
  const { plan, leftOver } = planPictures(files, doors({ filled: others }));
  expect(placesOf(plan)).toEqual([
    [5, "05 a.jpg"],
    [9, "05 b.jpg"],
  ]);
  expect(leftOver).toEqual([{ name: "x.jpg" }]);
});

test("planPictures skips doors of members, and lists pictures that would replace existing pictures separately", () => {
  const files = ["01.jpg", "02.jpg", "03.jpg", "x.jpg"].map((name) => ({ name }));
  const plan = planPictures(files, doors({ filled: [2, 3], owned: [1, 3] }));
  expect([placesOf(plan.plan), placesOf(plan.replacing), placesOf(plan.owned)]).toEqual([
    [[4, "x.jpg"]],
    [[2, "02.jpg"]],
    [
      [1, "01.jpg"],
      [3, "03.jpg"],
    ],
  ]);
});

test("before a calendar change, administrators read which doors are affected and which members will be told", () => {
  expect(describeReplacing([7]).text).toContain("Hinter Türchen 7 hängt schon ein Bild.");
  expect(describeReplacing([7, 9, 12]).text).toContain("Hinter den Türchen 7, 9 und 12 hängen schon Bilder.");
  const [one, two, three] = doors({ owned: [1, 2] });
  expect(describeMove(one!, three!, 1)).toBe("Türchen 1 gehört Ben und wird Türchen 3. Ben erfährt davon.");
  expect(describeMove(one!, three!, 2)).toBeNull();
  expect(describeMove(one!, two!, 1)).toContain("Türchen 2 gehört Ben und wird Türchen 1. Ben erfährt davon.");
});

test.each([
  [0, 0, "Kein Bild aufgehängt."],
  [0, 1, "0 von 1 Bild hängt."],
  [1, 1, "1 von 1 Bild hängt."],
  [1, 5, "1 von 5 Bildern hängt."],
  [4, 5, "4 von 5 Bildern hängen."],
])("describeUploads reports %i of %i uploaded pictures as “%s”", (done, total, text) => {
  expect(describeUploads(done, total, [])).toBe(text);
});

test("describeUploads names every picture that was not uploaded, and each reason once", () => {
  const missing = [
    { name: "1.jpg", text: "Größer als 15 MB." },
    { name: "2.jpg", text: "Türchen 2 gehört Ben." },
    { name: "3.jpg", text: "Größer als 15 MB." },
  ];
  expect(describeUploads(0, 2, missing)).toBe(
    "0 von 2 Bildern hängen. 1.jpg, 3.jpg: Größer als 15 MB. 2.jpg: Türchen 2 gehört Ben.",
  );
});

test.each([
  [0, "0 von 24 Türchen sind voll."],
  [1, "1 von 24 Türchen ist voll."],
  [24, "Alle 24 Türchen sind voll."],
])("describeFilled reports %i filled doors as “%s”", (filled, text) => {
  expect(describeFilled(filled)).toBe(text);
});

test("describeMoves names the calendar doors that a lottery moves, their new members and their previous members", () => {
  const carla = { ...ben, id: 3, name: "Carla" };
  const mia = { ...ben, id: 4, name: "Mia" };
  const door = (day: string, to = mia, from: typeof to | null = null) => ({ date: `2026-12-${day}`, to, from });
  expect(describeMoves([door("07", mia, ben), door("09", ben), door("19", mia, carla)])).toEqual([
    { id: 4, gets: "Mia bekommt Türchen 7 und 19", from: "von Ben 7, von Carla 19" },
    { id: 2, gets: "Ben bekommt Türchen 9", from: null },
  ]);
  expect(describeMoves([door("07", mia, ben)])).toMatchObject([{ from: "von Ben" }]);
});
