import { expect, test } from "vitest";

import { compareDrinkers, type Drinker } from "#contract/beercounter.ts";

test("compareDrinkers sorts a ranking by most beers, then by name", () => {
  const drinker = (name: string, beers: number, id = beers): Drinker => ({
    id,
    name,
    uname: `${name}${id}`,
    profile_picture: null,
    beercounter_entries_count: beers,
  });
  const all = [drinker("Öz", 3), drinker("Anna", 0), drinker("Zoe", 3, 9), drinker("Zoe", 3, 4), drinker("Bernd", 7)];
  const ranked = all.toSorted(compareDrinkers).map(({ uname }) => uname);
  expect(ranked).toEqual(["Bernd7", "Öz3", "Zoe4", "Zoe9", "Anna0"]);
});
