import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createActors } from "#test/actors.ts";
import { fuzz } from "#test/fuzz.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";

describe.each(["sqlite", "postgres"])("on %s", (database) => {
  let app: TestApp;

  beforeAll(async () => {
    process.env["TEST_DATABASE"] = database;
    app = await createTestApp();
    await createActors(app);
  });

  afterAll(async () => {
    await app.close();
    delete process.env["TEST_DATABASE"];
  });

  test.each([
    ["a stranger", 1],
    ["a member", 2],
    ["an administrator", 5],
  ])("ten thousand requests by %s are served or refused, and never break the server", async (_, column) => {
    await fuzz(app, column, 10_000);
    expect(app.logLines.filter(({ event }) => event === "failed")).toEqual([]);
    expect((await app.createClient().get("/readyz")).status).toBe(200);
  });
});
