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

describe("listFacts", () => {
  test("listFacts returns a party's busiest quarter of an hour, and its first and last beer with the drinkers' known names", () => {
    expect(rules.listFacts(createRecap("2026-11-20T19:30:00Z", [1, 7, 1]), 9, berlin)).toEqual([
      { label: "Am meisten los", text: "Zwischen 20:45 und 21:00 Uhr: 7 Biere" },
      { label: "Das erste Bier", text: "20:30 Uhr, Ben" },
      { label: "Das letzte Bier", text: "21:00 Uhr" },
    ]);
  });

  test("listFacts names the beers of guests in the busiest quarter of an hour", () => {
    const recap = createRecap("2026-11-20T19:30:00Z", [1, 7, 1]);
    const [busiest] = rules.listFacts({ ...recap, busiest: { ...recap.busiest!, guest_total: 2 } }, 9, berlin);
    expect(busiest!.text).toBe("Zwischen 20:45 und 21:00 Uhr: 5 Biere und 2 von Gästen");
  });

  test("listFacts does not list the only beer of a party as both the first and the last", () => {
    const recap = createRecap("2026-11-20T19:30:00Z", [1]);
    expect(rules.listFacts(recap, 1, berlin)).toEqual([{ label: "Das einzige Bier", text: "20:30 Uhr, Ben" }]);
  });

  test("listFacts omits the busiest quarter of an hour if none stands out", () => {
    const quiet = createRecap("2026-11-20T19:30:00Z", [1, 1]);
    expect(rules.listFacts(quiet, 2, berlin).map(({ label }) => label)).toEqual(["Das erste Bier", "Das letzte Bier"]);
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
    expect(rules.recapPictureLines(createParty(["Ben", "Anna"], 0, 2), false)).toEqual(["2 Leute und 2 Gäste"]);
    expect(rules.recapPictureLines(createParty([], 2), true)).toEqual(["2 Leute"]);
  });

  test.each([
    [["Ben", "Anna"], 0, "vorn Ben, mit Anna"],
    [["Ben", "Anna"], 1, "vorn Ben, mit Anna und einer weiteren Person"],
    [["Ben"], 0, "mit Ben"],
    [["Ben", "Benno", "Anna"], 0, "mit Anna, Ben und Benno"],
    [["Ben", "A", "C", "D", "E", "F", "G", "H", "I"], 0, "vorn Ben, mit A, C, D, E, F, G und 2 weiteren"],
    [["A", "B", "C", "D", "E", "F", "G", "H"], 0, "mit A, B, C, D, E, F, G und H"],
    [["A", "B", "C", "D", "E", "F", "G", "H"], 32, "mit A, B, C, D, E, F, G und 33 weiteren"],
  ])(
    "a party's picture names who has the most beers, then the others alphabetically: %j and %i others",
    (names, others, text) => {
      expect(rules.recapPictureLines(createParty(names, others), true)[1]).toBe(text);
    },
  );
});
