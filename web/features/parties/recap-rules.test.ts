import { describe, expect, test } from "vitest";

import type { PartyRecap } from "#contract/party-recap.ts";
import type { ShownParty } from "#contract/party.ts";
import * as rules from "./recap-rules.ts";

const berlin = "Europe/Berlin";

/** Creates a recap with one total per quarter of an hour from `start`. */
function createRecap(start: string, totals: readonly number[]): PartyRecap {
  const at = (quarter: number) => new Date(Date.parse(start) + quarter * 15 * 60_000).toISOString();
  const quarters = totals.map((total, quarter) => ({ at: at(quarter), total, guest_total: 0 }));
  const most = Math.max(...totals);
  const busiest = totals.indexOf(most);
  return {
    quarters,
    busiest: most < 2 ? null : { from: at(busiest), to: at(busiest + 1), total: most, guest_total: 0 },
    first: { at: at(0), name: "Ben" },
    last: { at: at(totals.length - 1), name: null },
    round: null,
  };
}

describe("curve of an evening", () => {
  test("listHourLabels labels at most six full hours of a party's recap", () => {
    const short = createRecap("2026-11-20T19:30:00Z", [1, 0, 2, 0, 0, 1, 1]);
    expect(rules.listHourLabels(short, berlin)).toEqual([
      { quarter: 2, text: "21" },
      { quarter: 6, text: "22" },
    ]);
    const long = createRecap("2026-11-20T19:00:00Z", Array(40).fill(1) as number[]);
    expect(rules.listHourLabels(long, berlin).map(({ text }) => text)).toEqual(["20", "22", "00", "02", "04"]);
  });

  test("listHourLabels returns the start time of a party that ends before the next full hour", () => {
    const recap = createRecap("2026-11-20T19:30:00Z", [1]);
    expect(rules.listHourLabels(recap, berlin)).toEqual([{ quarter: 0, text: "20:30" }]);
  });

  test("describeHours returns the beers of each hour, including hours without beers", () => {
    const recap = createRecap("2026-11-20T19:30:00Z", [1, 0, 2, 0, 0, 0, 0]);
    expect(rules.describeHours(recap, berlin).map(({ text }) => text)).toEqual([
      "ab 20:00 Uhr: 1 Bier",
      "ab 21:00 Uhr: 2 Biere",
      "ab 22:00 Uhr: 0 Biere",
    ]);
  });

  test("describeHours names the beers of guests in each hour", () => {
    const recap = createRecap("2026-11-20T20:00:00Z", [1, 2]);
    const quarters = recap.quarters.map((quarter) => ({ ...quarter, guest_total: 1 }));
    expect(rules.describeHours({ ...recap, quarters }, berlin).map(({ text }) => text)).toEqual([
      "ab 21:00 Uhr: 1 Bier und 2 von Gästen",
    ]);
  });

  test("the hour that repeats at the end of summer time appears twice in the recap", () => {
    const recap = createRecap("2026-10-25T00:00:00Z", Array(8).fill(1) as number[]);
    expect(rules.listHourLabels(recap, berlin).map(({ text }) => text)).toEqual(["02", "02"]);
    expect(rules.describeHours(recap, berlin)).toHaveLength(2);
  });
});

describe("listMoments", () => {
  test("listMoments returns the first and the last beer of a party with the drinkers' known names", () => {
    expect(rules.listMoments(createRecap("2026-11-20T19:30:00Z", [1, 7]), 8)).toEqual([
      { label: "Das erste Bier", at: "2026-11-20T19:30:00.000Z", name: "Ben" },
      { label: "Das letzte Bier", at: "2026-11-20T19:45:00.000Z", name: null },
    ]);
  });

  test("listMoments does not list the only beer of a party as both the first and the last", () => {
    const moments = rules.listMoments(createRecap("2026-11-20T19:30:00Z", [1]), 1);
    expect(moments.map(({ label }) => label)).toEqual(["Das einzige Bier"]);
  });
});

test("describeBusiest names the beers of guests in the busiest quarter of an hour", () => {
  const { busiest } = createRecap("2026-11-20T19:30:00Z", [1, 7, 1]);
  expect(rules.describeBusiest({ ...busiest!, guest_total: 2 }, berlin)).toBe(
    "Am meisten los war zwischen 20:45 und 21:00 Uhr: 5 Biere und 2 von Gästen",
  );
});

describe("listStoryParts", () => {
  const user = (id: number, name: string) => ({ id, name, beercounter_entries_count: 1 });
  const photo = { id: "the-table-at-midnight0", by: null, is_own: false, is_in_review: false };
  const create = (party: object) =>
    ({ recap: createRecap("2026-11-20T19:30:00Z", [1, 7]), users: [], photos: [], ...party }) as unknown as ShownParty;
  const kinds = (party: object) => rules.listStoryParts(create(party), 1).map(({ kind }) => kind);

  test.each([
    ["only guests", {}, ["cover", "curve", "moments", "picture"]],
    ["no beers", { recap: null, users: [user(1, "Ben")] }, ["cover", "friends"]],
    ["a photo", { recap: null, photos: [photo] }, ["cover", "photos"]],
    [
      "seven members and five photos",
      { users: [..."ABCDEFG"].map((name, id) => user(id, name)), photos: [..."abcde"].map((id) => ({ ...photo, id })) },
      ["cover", "curve", "moments", "friends", "friends", "photos", "photos", "picture"],
    ],
  ])("the story of a party with %s has the cards %3$j", (_, party, cards) => {
    expect(kinds(party)).toEqual(cards);
  });

  test("the story of a party shows the viewer's mat first, then the others' by name, on cards of similar size", () => {
    const users = [
      user(3, "Zoe"),
      user(2, "Änne"),
      user(1, "Ute"),
      ..."BCDE".split("").map((name, id) => user(id + 9, name)),
    ];
    const friends = rules
      .listStoryParts(create({ users }), 1)
      .flatMap((part) => (part.kind === "friends" ? [part.friends] : []));
    expect(friends.map((card) => card.map(({ name }) => name))).toEqual([
      ["Ute", "Änne", "B", "C"],
      ["D", "E", "Zoe"],
    ]);
  });

  test("the story of a party has a card for its last round beer", () => {
    const round = { count: 10, at: "2026-11-20T19:45:00Z", name: "Ben" };
    expect(kinds({ recap: { ...createRecap("2026-11-20T19:30:00Z", [10]), round } })).toContain("round");
  });
});

describe("recapPictureLines", () => {
  const createParty = (names: readonly string[], others = 0, guest_count = 0) =>
    ({
      users: names.map((name) => ({ name, beercounter_entries_count: name.startsWith("Ben") ? 2 : 1 })),
      others,
      guest_count,
    }) as unknown as ShownParty;

  test("the shared picture of a party shows names only if the member chose to", () => {
    expect(rules.recapPictureLines(createParty(["Ben", "Anna"], 0, 2), false)).toEqual(["2 Mitglieder und 2 Gäste"]);
    expect(rules.recapPictureLines(createParty([], 2), true)).toEqual(["2 Leute"]);
  });

  test.each([
    [["Ben", "Anna"], 0, ["Vorn: Ben", "mit Anna"]],
    [["Ben", "Anna"], 1, ["Vorn: Ben", "mit Anna und einer weiteren Person"]],
    [["Ben"], 0, ["mit Ben"]],
    [["Ben", "Benno", "Anna"], 0, ["mit Anna, Ben und Benno"]],
    [["Ben", "A", "C", "D", "E", "F", "G", "H", "I"], 0, ["Vorn: Ben", "mit A, C, D, E, F, G und 2 weiteren"]],
    [["A", "B", "C", "D", "E", "F", "G", "H"], 0, ["mit A, B, C, D, E, F, G und H"]],
    [["A", "B", "C", "D", "E", "F", "G", "H"], 32, ["mit A, B, C, D, E, F, G und 33 weiteren"]],
  ])(
    "a party's picture names who has the most beers, then the others alphabetically: %j and %i others",
    (names, others, texts) => {
      expect(rules.recapPictureLines(createParty(names, others), true).slice(1)).toEqual(texts);
    },
  );
});
