import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { createServerProcess, password } from "#test/process/server-process.ts";
import { databases, report } from "./report.ts";

test.for(databases)("failed logins are counted across a restart and forgotten after a minute (%s)", async (db) => {
  await using server = await createServerProcess({ database: db, env: { RATE_LIMIT_FACTOR: "1" } });
  await server.start();
  await server.createMembers("anna", "bert");
  const login = async (uname: string, typed: string) =>
    server.createClient().post("/api/login", { uname, password: typed });

  const began = performance.now();
  const spellings = ["anna", "ANNA", " anna ", "ａｎｎａ", "Anna"];
  for (const uname of spellings) expect((await login(uname, "falsch")).status).toBe(422);
  const sixth = await login("anna", "falsch");
  expect(sixth.status).toBe(429);
  expect(sixth.json.errors.uname[0]).toMatch(/^Zu viele Loginversuche/);
  const retryAfter = Number(sixth.headers["retry-after"]);
  expect(retryAfter).toBeGreaterThan(0);
  expect(retryAfter).toBeLessThanOrEqual(60);

  await server.kill();
  await server.start();
  expect((await login("anna", password)).status, "the right password, after a restart").toBe(429);
  expect((await login("bert", password)).status, "somebody else").toBe(200);

  await sleep(58_500 - (performance.now() - began));
  expect((await login("anna", password)).status, "58.5 s later").toBe(429);
  await sleep(61_500 - (performance.now() - began));
  const free = (await login("anna", password)).status;
  report("T010", { tries: spellings.length, retryAfter }, "5 tries, then 429 for 60 ± 1 s, also across a restart", db);
  expect(free).toBe(200);
});
