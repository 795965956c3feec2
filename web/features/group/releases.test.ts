import { expect, test } from "vitest";

import { newestNews } from "#contract/news.ts";
import { releases } from "./releases.ts";

test("releases are numbered without gaps, from `newestNews` down to 1", () => {
  expect(releases.map(({ number }) => number)).toEqual(
    Array.from({ length: newestNews }, (_, index) => newestNews - index),
  );
});

test("each release has at most eight items of at most 110 characters", () => {
  for (const { items } of releases) {
    expect(items.length).toBeLessThanOrEqual(8);
    for (const { text } of items) expect(text.length).toBeLessThanOrEqual(110);
  }
});
