import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { forVisitors, look, watchPolicy } from "./looks.ts";
import { openPub, type Pub } from "./pub.ts";

let pub: Pub;
let page: Page;
const refused: string[] = [];
beforeAll(async () => {
  pub = await openPub();
  page = await pub.page({ reducedMotion: "reduce" });
  await watchPolicy(page);
  page.on("response", (answer) => {
    if (answer.status() === 401) refused.push(answer.url());
  });
});
afterAll(() => pub.close());

test("The route table was read", () => expect(forVisitors).toContain("/login"));

describe("Narrow and wide, light and dark, a visitor can use", () => {
  test.each(forVisitors)("%s", (path) => look(page, path));
});

test("No page asked for what only members get", () => expect(refused).toEqual([]));
