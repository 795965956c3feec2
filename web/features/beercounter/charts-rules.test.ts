import { describe, expect, test } from "vitest";

import type { ShownRanking } from "#contract/beercounter.ts";
import { updateRanking } from "./charts-rules.ts";

const user = (id: number, beers: number) => ({
  id,
  name: `Member ${String(id).padStart(3, "0")}`,
  uname: `m${id}`,
  profile_picture: null,
  beercounter_entries_count: beers,
});
const show = (ranking: ShownRanking | null) =>
  ranking?.users.map(({ id, beercounter_entries_count: beers, rank }) =>
    rank === undefined ? [id, beers] : [rank, id, beers],
  );

/** The first three of ten members, and the seventh to ninth. */
const near: ShownRanking = {
  users: [
    [1, 90],
    [2, 80],
    [3, 70],
    [7, 30],
    [8, 20],
    [9, 10],
  ].map(([id, beers]) => ({ ...user(id!, beers!), rank: id! })),
  total: 10,
};

describe("updateRanking", () => {
  test("a whole ranking is sorted again after a beer", () => {
    const ranking = { users: [user(1, 5), user(2, 5)] };
    expect(show(updateRanking(ranking, [[2, 6]]))).toEqual([
      [2, 6],
      [1, 5],
    ]);
  });

  test("a whole ranking that lacks a member must be refetched", () => {
    expect(updateRanking({ users: [user(1, 5)] }, [[2, 1]])).toBeNull();
  });

  test("members of a shortened ranking change ranks within the top or the neighbors", () => {
    const updated = updateRanking(near, [
      [3, 85],
      [8, 25],
    ]);
    expect(show(updated)?.slice(0, 5)).toEqual([
      [1, 1, 90],
      [2, 3, 85],
      [3, 2, 80],
      [4 + 3, 7, 30],
      [8, 8, 25],
    ]);
  });

  test("a beer of a member between the top and the neighbors changes nothing in a shortened ranking", () => {
    expect(updateRanking(near, [[5, 51]])).toEqual(near);
  });

  test.for([
    ["a missing member reaches the top", [5, 70]],
    ["a missing member comes among the neighbors", [10, 10]],
    ["a neighbor passes the open end of the neighbors", [8, 31]],
    ["a member of the top falls out of it", [3, 60]],
  ] as const)("a shortened ranking must be refetched if %s", ([, change]) => {
    expect(updateRanking(near, [[...change]])).toBeNull();
  });
});
