import { expect, test } from "vitest";

import {
  describeFilled,
  describeHung,
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

test("pictures hang where their names say, the others fill the doors that are free, in order", () => {
  const files = ["oma.jpg", "02.jpg", "IMG_10.jpg", "bier.jpg"].map((name) => ({ name }));
  const { plan, leftOver } = planPictures(files, (door) => door > 1);
  expect(plan.map(({ door, file }) => [door, file.name])).toEqual([
    [2, "02.jpg"],
    [3, "bier.jpg"],
    [4, "oma.jpg"],
    [10, "IMG_10.jpg"],
  ]);
  expect(leftOver).toEqual([]);
});

test("of two pictures for one door the second is hung behind a free one, and what finds none is left over", () => {
  const files = ["05 a.jpg", "05 b.jpg", "x.jpg"].map((name) => ({ name }));
  const { plan, leftOver } = planPictures(files, (door) => door === 9);
  expect(plan.map(({ door, file }) => [door, file.name])).toEqual([
    [5, "05 a.jpg"],
    [9, "05 b.jpg"],
  ]);
  expect(leftOver).toEqual([{ name: "x.jpg" }]);
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
