import { expect, test } from "vitest";

import { newestNews } from "#contract/news.ts";
import { releases } from "./releases.ts";

test("the newest release has the number that makes its news unread, and the others follow without a gap", () => {
  expect(releases.map(({ number }) => number)).toEqual(
    Array.from({ length: newestNews }, (_, index) => newestNews - index),
  );
});

test("a release has three or four short items", () => {
  for (const { items } of releases) {
    expect([3, 4]).toContain(items.length);
    for (const { text } of items) expect(text.length).toBeLessThanOrEqual(110);
  }
});
