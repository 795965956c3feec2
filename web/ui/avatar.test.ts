import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { Avatar, initialsOf, backgroundOf } from "./avatar.tsx";

test.each([
  ["Anna", "A"],
  ["Anna Kowalski", "AK"],
  ["anna maria von der Tann", "AT"],
  ["  Jörg  ", "J"],
  ["🍺 Bernd", "B"],
  ["🍺", "🍺"],
  ["👩‍👩‍👧 Familie Öz", "FÖ"],
  ["مريم علي", "مع"],
  ["", "?"],
  ["<script>", "S"],
  ["=1+1", "1"],
])("the initials of %j are %j", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test("the avatar of a name always has the same color, and not all names have the same color", () => {
  expect(backgroundOf("Anna")).toBe(backgroundOf("Anna"));
  expect(new Set(["Anna", "Bernd", "Chris", "Dora", "Emil", "Frida"].map(backgroundOf)).size).toBeGreaterThan(2);
});

test("an avatar shows the picture with its id, or initials that screen readers do not read", () => {
  const withPicture = renderToStaticMarkup(createElement(Avatar, { id: "a b", name: "Anna", size: 40 }));
  expect(withPicture).toContain('src="/internal/images/avatar/a%20b"');
  const without = renderToStaticMarkup(createElement(Avatar, { id: null, name: "Anna Kowalski", size: 40 }));
  expect(without).not.toContain("<img");
  expect(without).toContain('data-letters="AK"');
  expect(without.replaceAll(/<[^>]*>/g, "")).toBe("");
});
