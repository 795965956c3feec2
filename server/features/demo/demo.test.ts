import { expect, test } from "vitest";

import { runCommandOn } from "#test/command-line.ts";
import { createTestApp } from "#test/test-app.ts";
import { commands } from "./commands.ts";

test.each([
  ["without a number of beers", {}, null],
  ["with a number of beers", { beers: "300" }, 300],
])("the command “demo” %s prints as many beers as it books", async (_, options, expected) => {
  const app = await createTestApp();
  const { json, text } = await runCommandOn(app, commands, "demo", [], options);
  const { beers } = json as { beers: number };
  const booked = await app.db
    .selectFrom("beers")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  expect(beers).toBe(booked.count);
  expect(text).toContain(`\n${beers} beers`);
  if (expected !== null) expect(beers).toBe(expected);
});
