import { expect, test } from "vitest";

import type { Drinker } from "#contract/beercounter.ts";
import { rankDrinkers } from "./ranking.tsx";

test("the ranking begins with the most beers, equals by name", () => {
  const drinker = (name: string, beers: number): Drinker => ({
    id: beers,
    name,
    uname: name,
    profile_picture: null,
    beercounter_entries_count: beers,
  });
  const all = [drinker("Öz", 3), drinker("Anna", 0), drinker("Zoe", 3), drinker("Bernd", 7)];
  expect(rankDrinkers(all).map(({ name }) => name)).toEqual(["Bernd", "Öz", "Zoe", "Anna"]);
});
