import { expect, test } from "vitest";

import { milestoneTexts } from "./rules.ts";

const anna = { userId: 1, userName: "Anna", avatarId: null };

test.each([
  [{ ...anna, kind: "group", count: 1200 }, 1, "Unser 1.200. Bier", "gezapft von dir"],
  [{ ...anna, kind: "group", count: 300 }, 2, "Unser 300. Bier", "gezapft von Anna"],
  [
    { kind: "group", count: 300, userId: null, userName: null, avatarId: null },
    1,
    "Unser 300. Bier",
    "Prost, alle zusammen!",
  ],
  [{ ...anna, kind: "member", count: 50 }, 1, "Dein 50. Bier", "Prost auf dich!"],
  [{ ...anna, kind: "member", count: 2000 }, 2, "Das 2.000. Bier von Anna", "Prost, Anna!"],
] as const)("milestoneTexts announces %j to member %i as “%s”", (milestone, memberId, title, text) => {
  expect(milestoneTexts(milestone, memberId)).toEqual({ title, text });
});
