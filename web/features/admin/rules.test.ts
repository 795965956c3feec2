import { expect, test } from "vitest";

import {
  describeFilled,
  describeHung,
  describeMove,
  describeMoves,
  describeReplacing,
  togglePermission,
  findDoorInName,
  filterMembers,
  moveItem,
  planPictures,
} from "./rules.ts";

test("who may switch game servers sees them, and who no longer sees them does not switch them", () => {
  expect(togglePermission([], "toggle-game-servers", true)).toEqual(["see-game-servers", "toggle-game-servers"]);
  expect(togglePermission(["admin", "see-game-servers", "toggle-game-servers"], "see-game-servers", false)).toEqual([
    "admin",
  ]);
  expect(togglePermission(["see-game-servers", "toggle-game-servers"], "toggle-game-servers", false)).toEqual([
    "see-game-servers",
  ]);
  expect(togglePermission(["see-game-servers"], "admin", true)).toEqual(["see-game-servers", "admin"]);
});

const person = (name: string, disabled = false) => ({ name, uname: name, email: `${name}@x.example`, disabled });

test("members are found by any part of any name, whatever accents they wear, and the locked ones come last", () => {
  const members = [person("Zoé"), person("Bernd", true), person("Änne"), person("Anna")];
  const names = (wanted: string) => filterMembers(members, wanted).map(({ name }) => name);
  expect(names("")).toEqual(["Anna", "Änne", "Zoé", "Bernd"]);
  expect(names("zoe")).toEqual(["Zoé"]);
  expect(names("ANN x.example")).toEqual(["Anna", "Änne"]);
  expect(names("niemand")).toEqual([]);
});

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
])("%s hangs behind door %s", (name, door) => {
  expect(findDoorInName(name)).toBe(door);
});

const ben = { id: 2, name: "Ben", avatarId: null };
/** 24 doors, of which these are filled and these are Ben's. */
const doors = ({ filled = [], owned = [] }: { filled?: number[]; owned?: number[] }) =>
  Array.from({ length: 24 }, (_, index) => ({
    ...{ date: `2026-12-${String(index + 1).padStart(2, "0")}`, version: "", preview: null, text: null, opened: 0 },
    can_restore: false,
    is_filled: filled.includes(index + 1),
    owner: owned.includes(index + 1) ? ben : null,
  }));
const placesOf = (planned: readonly { door: number; file: { name: string } }[]) =>
  planned.map(({ door, file }) => [door, file.name]);

test("pictures hang where their names say, the others behind the doors that are free, in order", () => {
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

test("of two pictures for one door the second is hung behind a free one, and what finds none is left over", () => {
  const files = ["05 a.jpg", "05 b.jpg", "x.jpg"].map((name) => ({ name }));
  const others = Array.from({ length: 24 }, (_, index) => index + 1).filter((door) => door !== 5 && door !== 9);
  const { plan, leftOver } = planPictures(files, doors({ filled: others }));
  expect(placesOf(plan)).toEqual([
    [5, "05 a.jpg"],
    [9, "05 b.jpg"],
  ]);
  expect(leftOver).toEqual([{ name: "x.jpg" }]);
});

test("doors that members fill are never planned, and pictures that would be replaced are apart", () => {
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

test("the questions before a change name the doors and the members who are told", () => {
  expect(describeReplacing([7]).text).toContain("Hinter Türchen 7 hängt schon ein Bild.");
  expect(describeReplacing([7, 9, 12]).text).toContain("Hinter den Türchen 7, 9 und 12 hängen schon Bilder.");
  const [one, two, three] = doors({ owned: [1, 2] });
  expect(describeMove(one!, three!, 1)).toBe("Türchen 1 gehört Ben und wird Türchen 3. Ben erfährt davon.");
  expect(describeMove(one!, three!, 2)).toBeNull();
  expect(describeMove(one!, two!, 1)).toContain("Türchen 2 gehört Ben und wird Türchen 1. Ben erfährt davon.");
});

test("an item changes places with its neighbour, and stays at the ends", () => {
  expect(moveItem(["a", "b", "c"], 1, -1)).toEqual(["b", "a", "c"]);
  expect(moveItem(["a", "b", "c"], 1, 1)).toEqual(["a", "c", "b"]);
  expect(moveItem(["a", "b", "c"], 0, -1)).toEqual(["a", "b", "c"]);
  expect(moveItem(["a", "b", "c"], 2, 1)).toEqual(["a", "b", "c"]);
});

test.each([
  [0, 1, "0 von 1 Bild hängt"],
  [1, 1, "1 von 1 Bild hängt"],
  [1, 5, "1 von 5 Bildern hängt"],
  [4, 5, "4 von 5 Bildern hängen"],
])("of pictures %i of %i: %s", (done, total, text) => {
  expect(describeHung(done, total)).toBe(text);
});

test.each([
  [0, "0 von 24 Türchen sind voll."],
  [1, "1 von 24 Türchen ist voll."],
  [24, "Alle 24 Türchen sind voll."],
])("with %i pictures: %s", (filled, text) => {
  expect(describeFilled(filled)).toBe(text);
});

test("a new dealing names who gets which doors, and from whom", () => {
  const carla = { ...ben, id: 3, name: "Carla" };
  const mia = { ...ben, id: 4, name: "Mia" };
  const door = (day: string, to = mia, from: typeof to | null = null) => ({ date: `2026-12-${day}`, to, from });
  expect(describeMoves([door("07", mia, ben), door("09", ben), door("19", mia, carla)])).toEqual([
    { id: 4, gets: "Mia bekommt Türchen 7 und 19", from: "von Ben 7, von Carla 19" },
    { id: 2, gets: "Ben bekommt Türchen 9", from: null },
  ]);
  expect(describeMoves([door("07", mia, ben)])).toMatchObject([{ from: "von Ben" }]);
});
