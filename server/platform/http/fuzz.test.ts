import { afterAll, beforeAll, expect, test } from "vitest";

import { seatCallers } from "#test/callers.ts";
import { fuzz } from "#test/fuzz.ts";
import { type House, openHouse } from "#test/open-house.ts";

let house: House;

beforeAll(async () => {
  house = await openHouse();
  await seatCallers(house);
});

afterAll(() => house.close());

test.each([
  ["a stranger", 1],
  ["a member", 2],
  ["an administrator", 5],
])("whatever %s sends is served or refused, and never breaks the server", { timeout: 60_000 }, async (_, column) => {
  await fuzz(house, column, 300);
  expect(house.lines.filter(({ event }) => event === "failed")).toEqual([]);
  expect((await house.visitor().get("/healthz")).status).toBe(200);
});
