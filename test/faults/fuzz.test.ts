import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { seatCallers } from "#test/callers.ts";
import { fuzz } from "#test/fuzz.ts";
import { type House, openHouse } from "#test/open-house.ts";

describe.each(["sqlite", "postgres"])("on %s", (database) => {
  let house: House;

  beforeAll(async () => {
    process.env["TEST_DATABASE"] = database;
    house = await openHouse();
    await seatCallers(house);
  });

  afterAll(async () => {
    await house.close();
    delete process.env["TEST_DATABASE"];
  });

  test.each([
    ["a stranger", 1],
    ["a member", 2],
    ["an administrator", 5],
  ])("ten thousand requests by %s are served or refused, and never break the server", async (_, column) => {
    await fuzz(house, column, 10_000);
    expect(house.lines.filter(({ event }) => event === "failed")).toEqual([]);
    expect((await house.visitor().get("/readyz")).status).toBe(200);
  });
});
