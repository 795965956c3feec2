import { expect, test } from "vitest";

import { runCommandOn } from "#test/command-line.ts";
import { createTestApp } from "#test/test-app.ts";
import { demoCommands as commands } from "./demo-commands.ts";

test("the command “demo” without a number of beers prints as many beers as it books", async () => {
  const app = await createTestApp();
  const { json, text } = await runCommandOn(app, commands, "demo", []);
  const { beers } = json as { beers: number };
  const booked = await app.db
    .selectFrom("beers")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  expect(beers).toBe(booked.count);
  expect(text).toContain(`\n${beers} beers`);
});

test("the command “demo” books the given number of beers, and prints passwords with which its members can log in", async () => {
  const app = await createTestApp();
  const { json, text } = await runCommandOn(app, commands, "demo", [], { beers: "200" });
  const { beers, members } = json as { beers: number; members: { uname: string; password: string }[] };
  expect([beers, members.length]).toEqual([200, 8]);
  expect(text).toContain("\n200 beers");
  const client = app.createClient();
  const { uname, password } = members[0]!;
  expect(text).toContain(`${uname}\t${password}\n`);
  expect((await client.post("/api/login", { uname, password })).status).toBe(200);
  expect((await client.get("/api/beercounter/counters")).json.KSKCounterVal).toBe(200);
});
