import { expect, test } from "vitest";

import type { Face } from "#contract/tablet.ts";
import { addReceipt, arrangeFaces, beginsWith, listLetters, type Receipt } from "./tablet-rules.ts";

const face = (id: string, name = id): Face => ({ id, name, avatarId: null, has_pin: false });
const receipt = (key: string, shownAt: number): Receipt => ({
  key,
  face: face("member-1"),
  kind: null,
  isUndone: false,
  shownAt,
});

test("faces keep their places: new ones come last, and one that is gone leaves a gap", () => {
  const order = ["member-1", "member-2", "member-3"];
  const faces = [face("member-9"), face("member-3"), face("member-1")];
  expect(arrangeFaces(order, faces).map((place) => (typeof place === "string" ? null : place.id))).toEqual([
    "member-1",
    null,
    "member-3",
    "member-9",
  ]);
});

test("a face is found by the first letter of each word of its name, without accents", () => {
  const anna = face("member-1", "Anna-Katharina Ömer");
  expect(listLetters([anna, face("member-2", "ben"), face("member-3", "👩‍🍳 Zoë")])).toEqual([
    "👩‍🍳",
    "A",
    "B",
    "K",
    "O",
    "Z",
  ]);
  expect(["A", "K", "O", "N"].map((letter) => beginsWith(anna, letter))).toEqual([true, true, true, false]);
});

test("a receipt takes a free place, otherwise that of the oldest one, and the others stay", () => {
  const [a, b, c] = [receipt("a", 2), receipt("b", 1), receipt("c", 3)];
  expect(addReceipt([a, null, null], b)).toEqual([a, b, null]);
  expect(addReceipt([a, b], c)).toEqual([a, c]);
});
