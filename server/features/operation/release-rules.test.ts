import { describe, expect, test } from "vitest";

import { days } from "#server/time.ts";
import { compareVersions, findNewestVersion, isDue, switchedOff } from "./release-rules.ts";

describe("findNewestVersion", () => {
  const newestOf = (feed: unknown) => findNewestVersion(JSON.stringify(feed));

  test.each([
    ["the highest number of a list, not the first", [{ tag_name: "v1.9.0" }, { tag_name: "v1.10.0" }], "1.10.0"],
    ["a single release", { tag_name: "1.2.3", html_url: "https://code.example/" }, "1.2.3"],
    ["no draft", [{ tag_name: "v2.0.0", draft: true }, { tag_name: "v1.0.0" }], "1.0.0"],
    ["no pre-release", [{ tag_name: "v2.0.0", prerelease: true }, { tag_name: "v2.0.0-rc.1" }], null],
    ["nothing from an empty list", [], null],
    ["no tag of another shape", [{ tag_name: "nightly" }, { tag_name: "<b>9.9.9</b>" }, { tag_name: "v1.2" }], null],
    ["no number beyond six digits", [{ tag_name: `v${"9".repeat(400)}.0.0` }], null],
  ])("findNewestVersion returns %s", (_, feed, expected) => {
    expect(newestOf(feed)).toBe(expected);
  });

  test.each(["", "<html>", "null", "42", '"v1.0.0"', "{}", '[{"tag_name":7}]', `[${"[".repeat(50_000)}`])(
    "findNewestVersion throws for the feed %.20s",
    (text) => {
      expect(() => findNewestVersion(text)).toThrow(Error);
    },
  );
});

test.each([
  ["1.0.0", "1.0.1", -1],
  ["1.0.10", "1.0.9", 1],
  ["2.0.0", "1.99.99", 1],
  ["v1.2.3", "1.2.3", 0],
  ["1.1.0-dev+0a1b2c3d", "1.1.0", -1],
  ["1.1.0-dev", "1.0.9", 1],
  ["1.1.0-dev+0a1b2c3d", "1.1.0-dev", 0],
  ["garbage", "0.0.0", -1],
])("compareVersions compares the version %s with %s", (left, right, expected) => {
  expect(Math.sign(compareVersions(left, right))).toBe(expected);
});

test("a release check is due a day after the previous one, at once if its time is in the future, and never if switched off", () => {
  const now = days(1000);
  const on = { ...switchedOff, is_checking: true };
  expect(isDue(on, now)).toBe(true);
  expect(isDue({ ...on, checked_at: now - days(1) + 1 }, now)).toBe(false);
  expect(isDue({ ...on, checked_at: now - days(1) }, now)).toBe(true);
  expect(isDue({ ...on, checked_at: now + 1 }, now)).toBe(true);
  expect(isDue({ ...on, is_checking: false }, now)).toBe(false);
});
