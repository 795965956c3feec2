import { expect, test } from "vitest";

import { filterMembers } from "./rules.ts";

const person = (name: string, disabled = false) => ({ name, uname: name, email: `${name}@x.example`, disabled });

test("filterMembers finds parts of names regardless of accents, and lists disabled members last", () => {
  const members = [person("Zoé"), person("Bernd", true), person("Änne"), person("Anna")];
  const names = (wanted: string) => filterMembers(members, wanted).map(({ name }) => name);
  expect(names("")).toEqual(["Anna", "Änne", "Zoé", "Bernd"]);
  expect(names("zoe")).toEqual(["Zoé"]);
  expect(names("ANN x.example")).toEqual(["Anna", "Änne"]);
  expect(names("niemand")).toEqual([]);
});
