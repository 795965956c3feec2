import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createActors } from "#test/actors.ts";
import { fuzz } from "#test/fuzz.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";
import { databases, report } from "./report.ts";

const requests = 10_000;

describe.each(databases)("fuzzed requests on %s", (database) => {
  let app: TestApp;

  beforeAll(async () => {
    process.env["TEST_DATABASE"] = database;
    app = await createTestApp();
    await createActors(app);
  });

  afterAll(() => void delete process.env["TEST_DATABASE"]);

  test.each([
    ["a stranger", 1],
    ["a member", 2],
    ["an administrator", 5],
  ])("ten thousand random requests by %s cause no internal error", async (by, column) => {
    const began = performance.now();
    await fuzz(app, column, requests);
    const mean = Math.round((performance.now() - began) / requests);
    report("T026", { by, requests, "mean, ms": mean }, "0 × 5xx, every answer as described", database);
    expect(app.logLines.filter(({ event }) => event === "failed")).toEqual([]);
    expect((await app.createClient().get("/readyz")).status).toBe(200);
  });
});
