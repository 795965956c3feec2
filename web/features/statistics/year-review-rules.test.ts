import { expect, test } from "vitest";

import type { OwnYear, YearReview } from "#contract/year-review.ts";
import {
  chapterTitle,
  cratesTexts,
  findOwnChapter,
  groupPictureLines,
  pictureLines,
  shareText,
  countSlices,
  formatSpan,
  listCards,
  listPictures,
  formatTowerHeight,
  noReviewYetText,
  previousYearText,
} from "./year-review-rules.ts";

const group = {
  total: 100,
  alcohol_free: 0,
  previous_total: 0,
  days: ["2026-02-03"],
  month: 2,
  weekday: 1,
  longest: { day: "2026-02-03", total: 100, members: [], others: 0 },
};
const own: OwnYear = {
  total: 20,
  alcohol_free: 0,
  month: 8,
  weekday: 4,
  first: "2026-01-02",
  last: "2026-12-30",
  pause: null,
  company: { member: { id: 2, name: "Ben", profile_picture: null }, days: 3 },
};
const review: YearReview = { year: 2026, final: true, group, own, photos: [] };

test("listCards returns the group's cards, then the member's, and ends with the picture and a toast", () => {
  const cards = listCards(review);
  expect(cards[0]).toBe("cover");
  expect(cards.slice(-2)).toEqual(["picture", "ending"]);
  expect(cards[findOwnChapter(cards)]).toBe("own");
  expect(cards.map(chapterTitle)).toEqual(["", ...Array(5).fill("Unser Jahr"), ...Array(5).fill("Dein Jahr"), "", ""]);
});

test("listCards omits the cards of company, share of all and photos if there are no data for them", () => {
  expect(listCards({ ...review, own: { ...own, company: null } })).not.toContain("company");
  expect(listCards({ ...review, own: { ...own, total: 100 } })).not.toContain("share-of-all");
  expect(listCards(review)).not.toContain("photos");
  const photos = [{ id: "the-table-at-midnight0", party: "Grillen" }];
  expect(listCards({ ...review, photos })).toContain("photos");
  expect(listCards({ ...review, photos, own: null })).toContain("photos");
});

test("a member without beers gets fewer cards of the year review, and only the group's picture to share", () => {
  const cards = listCards({ ...review, own: null });
  expect(cards.slice(-3)).toEqual(["no-beer", "picture", "ending"]);
  expect(listPictures({ ...review, own: null })).toEqual(["group"]);
  expect(listPictures(review)).toEqual(["own", "named", "group"]);
  expect(cards[findOwnChapter(cards)]).toBe("no-beer");
});

test("noReviewYetText says when the year review opens, or in December that the year has no beer yet", () => {
  expect(noReviewYetText("2026-11-30")).toContain("Am 1. Dezember 2026 macht er auf.");
  expect(noReviewYetText("2026-12-01")).toContain("Sobald der erste Strich");
});

test.each([
  [0, "Es ist das erste Jahr auf unseren Deckeln."],
  [1, "2025 war es 1 Bier."],
  [1180, "2025 waren es 1.180 Biere."],
])("previousYearText compares with a previous year of %i beers", (previous_total, words) => {
  expect(previousYearText({ ...group, previous_total }, 2026)).toBe(words);
});

test("previousYearText begins with the number of alcohol-free beers", () => {
  expect(previousYearText({ ...group, alcohol_free: 12, previous_total: 1 }, 2026)).toBe(
    "Davon 12 × 0,0. 2025 war es 1 Bier.",
  );
});

test.each([
  [1, "1 cm"],
  [100, "14 cm"],
  [1254, "1,76 m"],
])("formatTowerHeight returns the height of %i beer mats: %s", (mats, height) => {
  expect(formatTowerHeight(mats)).toBe(height);
});

test.each([
  [3, "Eine Kiste", "und noch nicht einmal voll"],
  [20, "1 Kiste", "voll bis auf die letzte Flasche"],
  [41, "2 Kisten", "und eine Flasche"],
  [20_019, "1.000 Kisten", "und 19 Flaschen"],
])("cratesTexts describes the crates that %i bottles fill: %s %s", (bottles, crates, rest) => {
  expect(cratesTexts(bottles)).toEqual({ crates, rest });
});

test.each([
  [100, 1, "Fast jedes Bier am Tisch war deins."],
  [50, 2, "Etwa jedes zweite Bier am Tisch war deins."],
  [9, 11, "Etwa jedes elfte Bier am Tisch war deins."],
  [8, 13, "Etwa jedes 13. Bier am Tisch war deins."],
])("a year review shows a member who drank %i of 100 beers as one of %i equal slices", (total, slices, words) => {
  expect(countSlices({ ...own, total }, group)).toBe(slices);
  expect(shareText(slices)).toBe(words);
});

test.each([
  ["2026-03-04", "2026-03-04", "4. März"],
  ["2026-03-04", "2026-03-27", "4. bis 27. März"],
  ["2028-02-29", "2028-03-03", "29. Februar bis 3. März"],
])("formatSpan(%s, %s) returns “%s”", (from, to, words) => {
  expect(formatSpan(from, to)).toBe(words);
});

test("groupPictureLines names the number of days with beers and the busiest weekday and month, but no members", () => {
  expect(groupPictureLines({ ...group, days: ["2026-02-03", "2026-02-04"] })).toEqual([
    "an 2 Tagen war jemand da",
    "am liebsten dienstags",
    "am häufigsten im Februar",
  ]);
  expect(groupPictureLines(group)[0]).toBe("an 1 Tag war jemand da");
});

test("pictureLines contains only facts about the member's own beers", () => {
  expect(pictureLines(own)).toEqual(["am liebsten freitags", "am häufigsten im August", "das erste am 2. Januar"]);
});
