import { beforeEach, describe, expect, test } from "vitest";

import { partyLimits } from "#contract/party.ts";
import { updateDisabledAt } from "#server/features/members/store.ts";
import { hours, minutes, toIso } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { summarizeRecap } from "./rules.ts";

describe("recap", () => {
  let app: TestApp;
  let ben: Client;
  let carla: Client;
  let start: number;
  let party: number;

  /**
   * Creates the members Anna (id 1), Ben (2), who starts the party, and Carla (3), who joins the
   * party.
   */
  beforeEach(async () => {
    app = await createTestApp();
    await app.createUser("anna");
    [ben, carla] = [await app.createMember("ben"), await app.createMember("carla")];
    await app.rememberSessions();
    start = app.clock.now();
    party = (await ben.post("/api/parties", { name: "Grillen bei Ben" })).json.id;
    await carla.post(`/api/parties/${party}/members`);
  });

  const showRecap = async () => (await carla.get(`/api/parties/${party}`)).json.recap;

  async function drinkAt(client: Client, at: number, count = 1): Promise<void> {
    app.clock.time = at;
    for (let beer = 0; beer < count; beer++) expect((await client.post("/api/beercounter/counters")).status).toBe(200);
  }

  async function end(): Promise<void> {
    app.clock.time += 1;
    expect((await ben.post(`/api/parties/${party}/end`)).status).toBe(200);
  }

  test(
    "a party's recap has the beers per quarter of an hour, the busiest quarter, and the first and last beer",
    { tags: "postgres" },
    async () => {
      await drinkAt(ben, start + minutes(1));
      await drinkAt(carla, start + minutes(31), 2);
      await drinkAt(ben, start + minutes(59));
      await drinkAt(carla, start + minutes(60));
      expect(await showRecap()).toBeNull();
      app.clock.time = start + hours(3);
      await end();
      // The party starts at 20:30, exactly at the beginning of a quarter of an hour.
      const quarter = (index: number) => toIso(start + minutes(15 * index));
      expect(await showRecap()).toEqual({
        quarters: [1, 0, 2, 1, 1].map((total, index) => ({ at: quarter(index), total, guest_total: 0 })),
        busiest: { from: quarter(2), to: quarter(3), total: 2, guest_total: 0 },
        first: { at: toIso(start + minutes(1)), name: "Ben" },
        last: { at: toIso(start + minutes(60)), name: "Carla" },
        round: null,
      });
    },
  );

  test("a party's recap does not name paused or disabled members or guests", async () => {
    const guest = (await ben.post(`/api/parties/${party}/guests`, { name: "Mia", has_agreed: true })).json.id;
    await drinkAt(carla, start + minutes(1));
    app.clock.time = start + minutes(20);
    await ben.post(`/api/party-guests/${guest}/beers`, undefined, { "idempotency-key": "last-beer" });
    await end();
    const times = [toIso(start + minutes(1)), toIso(start + minutes(20))];
    expect(await showRecap()).toMatchObject({
      quarters: [
        { total: 1, guest_total: 0 },
        { total: 1, guest_total: 1 },
      ],
      first: { at: times[0], name: "Carla" },
      last: { at: times[1], name: null },
    });
    await carla.post("/api/user/presence", { visibility: "quiet" });
    expect((await showRecap()).first).toEqual({ at: times[0], name: null });
    await carla.post("/api/user/presence", { visibility: "visible" });
    expect((await showRecap()).first.name).toBe("Carla");
    await updateDisabledAt(app.db, 3, app.clock.now());
    expect((await ben.get(`/api/parties/${party}`)).json.recap.first.name).toBeNull();
  });

  test("a party's recap ends with the last beer if the party ended automatically", async () => {
    await drinkAt(ben, start + minutes(20));
    app.clock.time = start + partyLimits.length;
    expect((await showRecap()).quarters).toHaveLength(2);
  });

  test("a party without beers has no recap, and one with a single beer has no busiest quarter", async () => {
    await drinkAt(ben, start + minutes(1));
    await end();
    expect(await showRecap()).toMatchObject({ quarters: [{ total: 1 }], busiest: null });
    party = (await ben.post("/api/parties", { name: "Balkon" })).json.id;
    await end();
    expect(await showRecap()).toBeNull();
  });
});

test.each([
  ["goes forwards", "2026-03-29T00:30:00Z"],
  ["goes back", "2026-10-25T00:30:00Z"],
])("a party's recap has each quarter of an hour once in the night when the clock %s", (_, startsAt) => {
  const start = Date.parse(startsAt);
  const at = start + hours(2);
  const count = { user_id: 1, quarter: at / minutes(15), count: 1, first: at, last: at };
  const recap = summarizeRecap([count], start, new Map());
  expect(recap!.quarters.map((quarter) => quarter.at)).toEqual(
    Array.from({ length: 9 }, (__, index) => toIso(start + minutes(15 * index))),
  );
});
