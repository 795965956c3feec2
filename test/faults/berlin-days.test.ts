import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { counters } from "#test/process/load.ts";
import { password, startServerProcess, type ServerProcess } from "#test/process/server-process.ts";
import { type FakeClock, createFakeClock } from "./fake-clock.ts";
import { databases, report } from "./report.ts";

/**
 * Times of beers with their weekday in Berlin (0 is Monday). `isNewWeek` is `true` for the first
 * beer of a week.
 */
const moments: [at: string, weekday: number, isNewWeek: boolean][] = [
  ["2026-10-24T21:59:59Z", 5, true],
  ["2026-10-24T22:00:01Z", 6, false],
  ["2026-10-25T00:30:00Z", 6, false],
  ["2026-10-25T01:30:00Z", 6, false],
  ["2026-10-25T22:59:59Z", 6, false],
  ["2026-10-25T23:00:01Z", 0, true],
  ["2026-12-27T22:59:59Z", 6, true],
  ["2026-12-27T23:00:01Z", 0, true],
  ["2026-12-31T22:59:59Z", 3, false],
  ["2026-12-31T23:00:01Z", 4, false],
  ["2027-03-28T00:59:59Z", 6, true],
  ["2027-03-28T01:00:01Z", 6, false],
  ["2027-03-28T22:00:01Z", 0, true],
  ["2028-02-29T22:59:59Z", 1, true],
  ["2028-02-29T23:00:01Z", 2, false],
];
const hosts = ["UTC", "Europe/Berlin", "Pacific/Honolulu", "Pacific/Kiritimati"];

describe.each(databases)("statistics on %s", (db) => {
  describe.each(hosts)("a machine in %s", (zone) => {
    let server: ServerProcess;
    let clock: FakeClock;

    beforeAll(async () => {
      clock = await createFakeClock(moments[0]![0]);
      server = await startServerProcess({ database: db, env: { ...clock.env, TZ: zone } });
      await server.createMembers("anna");
    });

    afterAll(async () => server[Symbol.asyncDispose]());

    test("every beer counts on its day and in its week in Berlin, whatever the machine's time zone", async () => {
      const anna = server.createClient();
      let week = [0, 0, 0, 0, 0, 0, 0];
      let wrong = 0;
      for (const [at, weekday, isNewWeek] of moments) {
        clock.set(at);
        await anna.post("/api/login", { uname: "anna", password });
        expect((await anna.post(counters)).status).toBe(200);
        const { thisWeek, allWeeks } = (await anna.get("/api/beercounter/stats/timely")).json;
        if (isNewWeek) week = [0, 0, 0, 0, 0, 0, 0];
        week[weekday]! += 1;
        if (thisWeek.join() !== week.join()) wrong += 1;
        expect(allWeeks[weekday]).toBeGreaterThan(0);
      }
      const { KSKCounterVal } = (await anna.get(counters)).json;
      report("T039", { zone, moments: moments.length, wrong }, "0 wrong", db);
      expect([wrong, KSKCounterVal]).toEqual([0, moments.length]);
    });
  });
});
