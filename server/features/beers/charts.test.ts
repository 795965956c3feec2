import { beforeEach, describe, expect, test } from "vitest";

import type { CounterEvent } from "#contract/beercounter.ts";
import type { Client } from "#test/client.ts";
import { connectPage, connectSocket, subscribe } from "#test/socket-client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { mergeTotals } from "./rules.ts";

const counters = "/api/beercounter/counters";
let app: TestApp;
let anna: Client;
let ben: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna");
  ben = await app.createMember("ben");
});

const readCharts = async () => ({
  weekdays: (await anna.get("/api/beercounter/stats/timely")).json,
  totals: (await anna.get("/api/beercounter/stats/user")).json.users.map(
    ({ id, beercounter_entries_count: count }: { id: number; beercounter_entries_count: number }) => [id, count],
  ),
});

describe("the event of a beer", () => {
  test(
    "the event of a beer has the member's new total and the weekdays, as the charts show them afterwards",
    { tags: "postgres" },
    async () => {
      const page = await connectPage(app, anna);
      await ben.post(counters);
      const { data } = await page.next("updated");
      const { weekdays, totals } = await readCharts();
      expect(totals).toEqual([
        [2, 1],
        [1, 0],
      ]);
      expect(data).toMatchObject({ userId: 2, totals: [[2, 1]], weekdays, parties: [], since: data["version"] - 1 });
    },
  );

  test("the events of simultaneous beers contain the totals of all their members, and no change between them is missing", async () => {
    const page = await connectPage(app, anna);
    const answers = await Promise.all([anna, ben, anna, ben, ben].map((member) => member.post(counters)));
    const newest = Math.max(...answers.map(({ headers }) => Number(headers["counters-version"])));
    let known = newest - answers.length;
    const totals = new Map<number, number>();
    while (known < newest) {
      const { data } = await page.next("updated");
      expect(data["since"]).toBeLessThanOrEqual(known);
      for (const [id, total] of data["totals"] as [number, number][]) totals.set(id, total);
      known = data["version"];
    }
    expect(Object.fromEntries(totals)).toEqual({ 1: 2, 2: 3 });
  });

  test("the event of a quiet member's beer has the new weekdays, but not the member's total", async () => {
    await app.db.updateTable("users").set({ visibility: "quiet" }).where("id", "=", 2).execute();
    const page = await connectPage(app, anna);
    await ben.post(counters);
    const { weekdays } = await readCharts();
    expect((await page.next("updated")).data).toMatchObject({ userId: null, totals: [], weekdays });
  });

  test("the event of a beer has the new numbers of running parties", { tags: "postgres" }, async () => {
    const { id } = (await ben.post("/api/parties", { name: "Grill" })).json;
    const page = await connectPage(app, anna);
    await ben.post(counters);
    expect((await page.next("updated")).data["parties"]).toEqual([{ id, total: 1, guest_total: 0, totals: [[2, 1]] }]);
    await anna.post(counters);
    expect((await page.next("updated")).data["parties"]).toEqual([{ id, total: 1, guest_total: 0, totals: [] }]);
    const guest = (await ben.post(`/api/parties/${id}/guests`, { name: "Gabi", has_agreed: true })).json.id;
    expect((await page.next("updated")).data).not.toHaveProperty("totals");
    await ben.post(`/api/party-guests/${guest}/beers`, undefined, { "idempotency-key": "tap-of-gabi" });
    const { data } = await page.next("updated");
    expect(data).toMatchObject({ totals: [], parties: [{ id, total: 2, guest_total: 1, totals: [] }] });
  });

  test("the event of an undo or a new name has no charts, so that pages refetch", async () => {
    await ben.post(counters, undefined, { "idempotency-key": "tap-of-ben" });
    const page = await connectPage(app, anna);
    await ben.delete("/api/beercounter/taps/tap-of-ben");
    expect((await page.next("updated")).data).not.toHaveProperty("totals");
    await ben.post("/api/user/presence", { visibility: "quiet" });
    expect((await page.next("updated")).data).not.toHaveProperty("totals");
  });
});

test("a subscription to the counter brings the charts", async () => {
  await ben.post(counters);
  const data = await subscribe(anna, await connectSocket(app, anna.cookieHeader), "private-beercounter");
  expect(data).toMatchObject({ counters: { KSKCounterVal: 1, userCounterVal: 0 }, parties: [] });
  const { weekdays, totals } = await readCharts();
  expect(data).toMatchObject({ weekdays, totals });
});

describe("mergeTotals", () => {
  const week = (today: number) => ({ thisWeek: [today, 0, 0, 0, 0, 0, 0], allWeeks: [today, 0, 0, 0, 0, 0, 0] });
  const event = (version: number, changes: Partial<CounterEvent>): CounterEvent => ({
    ...{ counterVal: version, userId: 1, userName: "Anna", avatarId: null, version },
    ...{ since: version - 1, totals: [], weekdays: week(version), parties: [] },
    ...changes,
  });
  const party = (total: number, totals: [number, number][]) => ({ id: 5, total, guest_total: 0, totals });

  test("merged events have all changed totals, the newest numbers, and the version before the first change", () => {
    const first = event(1, { totals: [[1, 4]], parties: [party(7, [[1, 2]])] });
    const second = event(2, { totals: [[2, 9]], parties: [party(8, [[2, 1]])] });
    expect(mergeTotals(first, second)).toMatchObject({
      since: 0,
      totals: [
        [1, 4],
        [2, 9],
      ],
      weekdays: week(2),
      parties: [
        party(8, [
          [1, 2],
          [2, 1],
        ]),
      ],
    });
  });

  test("merged events have no charts if a change between them is missing, or one of them has none", () => {
    expect(mergeTotals(event(1, {}), event(3, {}))).not.toHaveProperty("totals");
    const { since, totals, weekdays, parties, ...bare } = event(2, {});
    expect([since, totals, weekdays, parties]).not.toContain(undefined);
    expect(mergeTotals(event(1, {}), bare)).not.toHaveProperty("totals");
  });
});
