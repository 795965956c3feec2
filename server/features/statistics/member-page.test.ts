import { beforeEach, describe, expect, test } from "vitest";

import type { MemberPage } from "#contract/member-page.ts";
import type { Visibility } from "#contract/visibility.ts";
import { inTransaction } from "#server/db/connect.ts";
import { bookBeers } from "#server/features/beers/actions.ts";
import { updateDisabledAt } from "#server/features/members/store.ts";
import { minutes } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, fridayEvening, type TestApp } from "#test/test-app.ts";

let app: TestApp;
let ben: Client;
let carla: Client;
const [benId, carlaId, unknownId] = [1, 2, 99];

beforeEach(async () => {
  app = await createTestApp();
  ben = await app.createMember("ben");
  carla = await app.createMember("carla");
});

const read = (client: Client, id: number) => client.get(`/api/members/${id}/page`);
const show = async (client: Client, id: number): Promise<MemberPage> => {
  const { status, json } = await read(client, id);
  expect(status).toBe(200);
  return json as MemberPage;
};
const drinkAt = (userId: number, ...times: (string | number)[]) =>
  inTransaction(app.db, (tx) =>
    bookBeers(
      tx,
      times.map((time) => ({ userId, key: null, at: new Date(time).getTime() })),
      app.config.timeZone,
    ),
  );
const change = (client: Client, visibility: Visibility) => client.post("/api/user/presence", { visibility });

test("a new member has an empty member page", async () => {
  expect(await show(ben, benId)).toEqual({
    id: benId,
    name: "Ben",
    profile_picture: null,
    today: "2026-11-20",
    beers: { today: 0, week: 0, year: 0, total: 0 },
    round_beers: [],
    parties: [],
    party_count: 0,
    calendar: { year: 2026, doors: [], opened: 0 },
  });
});

test("a member's page counts only this member's beers and no undone beers", { tags: "postgres" }, async () => {
  await drinkAt(benId, "2025-06-01T18:00:00Z", "2026-11-13T18:00:00Z", "2026-11-16T18:00:00Z", fridayEvening);
  await drinkAt(carlaId, fridayEvening);
  await ben.post("/api/beercounter/counters", undefined, { "idempotency-key": "one-more-beer" });
  const page = await show(carla, benId);
  expect(page.beers).toEqual({ today: 2, week: 3, year: 4, total: 5 });
  expect(page.round_beers).toEqual([{ count: 1, day: "2025-06-01" }]);
  await ben.delete("/api/beercounter/taps/one-more-beer");
  expect((await show(carla, benId)).beers).toEqual({ today: 1, week: 2, year: 3, total: 4 });
});

test("a member's page counts a beer drunk before midnight in the group's time zone on the earlier day", async () => {
  await drinkAt(benId, "2026-11-19T22:59:00Z", "2026-11-19T23:01:00Z");
  expect((await show(ben, benId)).beers).toMatchObject({ today: 1, week: 2 });
});

test("a member's page lists the member's five newest parties with the member's beers, and counts all parties", async () => {
  const ids: number[] = [];
  for (let number = 1; number <= 6; number += 1) {
    const { id } = (await ben.post("/api/parties", { name: `Party ${number}` })).json;
    ids.push(id);
    app.clock.time += minutes(10);
    await drinkAt(benId, app.clock.time - minutes(5));
    if (number < 6) await ben.post(`/api/parties/${id}/end`);
    app.clock.time += minutes(5);
  }
  const { parties, party_count } = await show(carla, benId);
  expect(party_count).toBe(6);
  expect(parties.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 5));
  expect(parties.map(({ own_total }) => own_total)).toEqual([1, 1, 1, 1, 1]);
  expect(parties[0]).toMatchObject({ name: "Party 6", is_running: true });
  expect(parties[1]).toMatchObject({ is_running: false });
  expect(await show(carla, carlaId)).toMatchObject({ parties: [], party_count: 0 });
});

describe("calendar doors on a member's page", () => {
  const picture = (date: string) => ({
    date,
    id: `picture-${date}`,
    screen: Buffer.from("large"),
    phone: Buffer.from("small"),
  });
  beforeEach(async () => {
    const dates = ["2026-12-03", "2026-12-04", "2026-12-20"];
    await app.db
      .insertInto("calendar_assignments")
      .values(dates.map((date) => ({ date, user_id: benId })))
      .execute();
    for (const date of ["2026-12-03", "2026-12-04"])
      await app.db.insertInto("calendar_pictures").values(picture(date)).execute();
  });

  test("members see their own calendar doors on their page before the doors' days, filled or empty", async () => {
    expect((await show(ben, benId)).calendar).toEqual({
      year: 2026,
      doors: [
        { date: "2026-12-03", is_filled: true },
        { date: "2026-12-04", is_filled: true },
        { date: "2026-12-20", is_filled: false },
      ],
      opened: 0,
    });
  });

  test("a viewer sees on a member's page only the member's calendar doors that the viewer has opened", async () => {
    const closed = { year: 2026, doors: [], opened: null };
    const open = (user_id: number) =>
      app.db.insertInto("calendar_openings").values({ user_id, date: "2026-12-03", opened_at: 0 }).execute();
    // The opening is before the calendar door's day, as if the server's clock had been ahead.
    await open(carlaId);
    expect((await show(carla, benId)).calendar).toEqual(closed);
    app.clock.time = Date.parse("2026-12-04T12:00:00Z");
    const emil = await app.createMember("emil");
    expect((await show(emil, benId)).calendar).toEqual(closed);
    await open(3);
    expect((await show(emil, benId)).calendar).toEqual({
      ...closed,
      doors: [{ date: "2026-12-03", is_filled: true }],
    });
    expect((await show(emil, carlaId)).calendar).toEqual(closed);
    expect((await show(emil, 3)).calendar).toEqual({ ...closed, opened: 1 });
  });
});

describe("hidden pages", () => {
  test.each<[reason: string, hide: () => Promise<unknown>]>([
    ["the member is quiet", () => change(ben, "quiet")],
    ["the member is hidden", () => change(ben, "hidden")],
    ["the member is disabled", () => updateDisabledAt(app.db, benId, app.clock.now())],
  ])("other members get the answer for an unknown id instead of a member's page if %s", async (_, hide) => {
    await hide();
    const [answer, unknown] = [await read(carla, benId), await read(carla, unknownId)];
    expect([answer.status, answer.text]).toEqual([404, unknown.text]);
  });

  test("members see their own page even while they are hidden, and others see it again once they are visible", async () => {
    await change(ben, "hidden");
    expect(await show(ben, benId)).toMatchObject({ name: "Ben" });
    await change(ben, "visible");
    expect(await show(carla, benId)).toMatchObject({ name: "Ben" });
  });
});
