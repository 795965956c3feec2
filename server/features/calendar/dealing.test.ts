import { beforeEach, describe, expect, test } from "vitest";

import { changeDisabled } from "#server/features/accounts/management-actions.ts";
import { showDoorOwners, takeDoorBack } from "#test/calendar.ts";
import type { Client } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { createFakePushService, type FakePushService } from "#test/fake-push-service.ts";
import { fixtures } from "#test/fixtures.ts";
import { afterReading } from "#test/held-query.ts";
import { connectPage } from "#test/socket-client.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { dealFreeDoors, pushLateDealings } from "./lottery-actions.ts";
import { type DealingInputs, dealDoors } from "./lottery-rules.ts";

const lottery = "/api/admin/calendar/lottery";
const own = "/api/christmas-calendar/own-doors";

let app: TestApp;
let service: FakePushService;
let anna: Client;
let ben: Client;

beforeEach(async () => {
  service = await createFakePushService();
  app = await createTestApp({ PUSH_ALLOW_PRIVATE: "1", PUSH_ALLOWED_HOSTS: "localhost" });
  app.clock.time = Date.parse("2026-11-24T10:00:00Z");
  anna = await app.createMember("anna", ["admin"]);
  ben = await app.createMember("ben");
  await showDoorOwners(anna);
});

const deal = async (year = 2026) => (await anna.post(lottery, { year })).json.message;
const preview = async () => (await anna.post(`${lottery}/preview`, { year: 2026 })).json;
const apply = (id: number) => anna.post(`${lottery}/preview/${id}`);
const dealings = async () => (await anna.get(`${lottery}?year=2026`)).json;
const assignments = () =>
  app.db.selectFrom("calendar_assignments").select(["date", "user_id"]).orderBy("date").execute();
async function countDoors(): Promise<Record<number, number>> {
  const groups = Map.groupBy(await assignments(), ({ user_id }) => user_id);
  return Object.fromEntries([...groups].map(([id, { length }]) => [id, length]));
}
const hang = (date: string) =>
  app.db
    .insertInto("calendar_pictures")
    .values({ date, id: `picture-of-${date}`, screen: fixtures.png, phone: fixtures.png })
    .execute();
const hangAllOf = async (userId: number) => {
  for (const { date, user_id } of await assignments()) if (user_id === userId) await hang(date);
};
const subscribeToPush = (client: Client, browser: string) =>
  client.post("/api/push", { pushSubscription: service.subscription(browser) });
const pushed = () => service.received.map(({ browser, payload }) => [browser, payload["body"]]);

describe("surprised administrators", () => {
  const find = async (date: string, client = anna) => {
    const { json, text } = await client.get("/api/admin/calendar?year=2026");
    return {
      reply: text,
      isSurprised: json.is_surprised,
      ...json.days.find((day: { date: string }) => day.date === date),
    };
  };

  test("by default, and until the day of a door, an administrator does not see which member drew the door", async () => {
    const carla = await app.createMember("carla", ["admin"]);
    await app.db
      .insertInto("calendar_assignments")
      .values([
        { date: "2026-12-01", user_id: 2 },
        { date: "2026-12-02", user_id: 3 },
      ])
      .execute();
    expect(await find("2026-12-01")).toMatchObject({ isSurprised: false, is_secret: false, owner: { name: "Ben" } });
    const secret = await find("2026-12-01", carla);
    expect(secret).toMatchObject({ isSurprised: true, is_secret: true, owner: null });
    expect(secret.reply).not.toContain("Ben");
    expect(await find("2026-12-02", carla)).toMatchObject({ is_secret: false, owner: { name: "Carla" } });
    await app.rememberSessions();
    app.clock.time = Date.parse("2026-12-01T10:00:00Z");
    expect(await find("2026-12-01", carla)).toMatchObject({ is_secret: false, owner: { name: "Ben" } });
  });

  test("a surprised administrator deals the doors again without seeing who gets them", async () => {
    await deal();
    await app.createUser("carla");
    await anna.post("/api/admin/calendar/surprise", { is_surprised: true });
    const { id, ...secret } = await preview();
    expect(secret).toEqual({ count: 8, doors: [] });
    expect((await apply(id)).json.message).toBe("8 Türchen sind verlost.");
  });
});

describe("dealing of free doors", () => {
  test("the stored seed and inputs of a calendar lottery reproduce which member got which door", async () => {
    await app.createUser("carla");
    await hang("2026-12-24");
    await deal();
    const { year, seed, inputs } = await app.db.selectFrom("calendar_dealings").selectAll().executeTakeFirstOrThrow();
    expect([year, seed]).toEqual([2026, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    const again = dealDoors(JSON.parse(inputs) as DealingInputs, seed);
    expect(again.map(({ date, to }) => ({ date, user_id: to }))).toEqual(await assignments());
    expect((await dealings()).dealings).toEqual([{ at: "2026-11-24T10:00:00.000Z", seed, doors: 23, left: false }]);
    const { details } = await app.db
      .selectFrom("audit")
      .select("details")
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    expect(JSON.parse(details)).toEqual({ year: 2026, doors: 23, seed });
  });

  test("the calendar lottery gives all doors to the only member", async () => {
    await app.db.updateTable("users").set({ disabled_at: 1 }).where("id", "=", 2).execute();
    expect(await deal()).toBe("24 Türchen sind verlost.");
    expect(await countDoors()).toEqual({ 1: 24 });
  });

  test.each([
    ["2026-12-24T10:00:00Z", 2026, 0],
    ["2026-12-23T22:59:59Z", 2026, 1],
    ["2026-12-23T23:00:00Z", 2026, 0],
    ["2026-12-24T10:00:00Z", 2027, 24],
  ])(
    "a calendar lottery at %s assigns only the doors of %i whose day has not begun in Berlin (%i doors)",
    async (time, year, count) => {
      app.clock.time = Date.parse(time);
      await dealFreeDoors(app.context, year, null);
      expect(await assignments()).toHaveLength(count);
    },
  );

  test("a second calendar lottery of the free doors changes no assigned door", async () => {
    await deal();
    const before = await assignments();
    await hang(before[0]!.date);
    expect(await deal()).toBe("Es ist kein Türchen mehr frei.");
    expect(await assignments()).toEqual(before);
    expect((await dealings()).dealings).toHaveLength(1);
  });
});

describe("repeated dealing", () => {
  test("a repeated calendar lottery, which also moves empty doors, moves the doors exactly as previewed", async () => {
    await deal();
    await app.createUser("mia");
    expect(await dealings()).toMatchObject({ without: [{ id: 3, name: "mia" }], changes: 8 });
    const shown = await preview();
    expect(shown.doors).toHaveLength(8);
    expect(new Set(shown.doors.map(({ from }: { from: { name: string } }) => from.name))).toEqual(
      new Set(["Anna", "Ben"]),
    );
    // A repeated preview request must not draw a new result.
    expect(await preview()).toEqual(shown);
    const expected = new Map((await assignments()).map(({ date, user_id }) => [date, user_id]));
    for (const { date, to } of shown.doors) expected.set(date, to.id);
    expect((await apply(shown.id)).json).toEqual({ message: "8 Türchen sind verlost." });
    expect(new Map((await assignments()).map(({ date, user_id }) => [date, user_id]))).toEqual(expected);
    expect(await countDoors()).toEqual({ 1: 8, 2: 8, 3: 8 });
    expect(await dealings()).toMatchObject({ without: [], changes: 0, dealings: [{ doors: 8 }, { doors: 24 }] });
    const [entry] = (await anna.get("/api/admin/audit")).json.entries;
    expect(entry.text).toBe("8 Türchen für 2026 neu verlost.");
  });

  test.each<[string, () => Promise<unknown>]>([
    ["a door was filled", async () => hang((await assignments())[0]!.date)],
    ["another member joined", () => app.createUser("noah")],
    ["a member was disabled", () => changeDisabled(app.context, 2, 1, true)],
    ["a door was taken back", async () => takeDoorBack(anna, (await assignments())[0]!.date)],
    ["the preview was already applied", async () => apply((await preview()).id)],
    [
      "the day of a door has begun",
      async () => {
        app.clock.time = Date.parse("2026-12-01T10:00:00Z");
        anna = app.createClient();
        await anna.post("/api/login", { uname: "anna", password });
      },
    ],
  ])(
    "the preview of a repeated calendar lottery is not applied, but replaced by a new preview, if %s",
    async (_, change) => {
      await deal();
      await app.createUser("mia");
      const { id } = await preview();
      await change();
      const before = await assignments();
      const answer = await apply(id);
      expectRefusal(answer, 409, "Inzwischen hat sich etwas geändert. Schau dir die neue Vorschau an.");
      expect(await assignments()).toEqual(before);
      expect((await preview()).id).not.toBe(id);
    },
  );

  test("a repeated calendar lottery does not move filled doors", async () => {
    await deal();
    await hangAllOf(1);
    await hangAllOf(2);
    await app.createUser("mia");
    expect(await dealings()).toMatchObject({ without: [{ id: 3 }], changes: 0 });
    expect((await preview()).doors).toEqual([]);
  });

  test("a calendar lottery with more members than doors gives each door to a different member", async () => {
    for (let number = 1; number <= 24; number += 1) await app.createUser(`gast${number}`);
    expect(await deal()).toBe("24 Türchen sind verlost. 2 Mitglieder haben keins.");
    const { without, changes } = await dealings();
    expect([without.length, changes]).toEqual([2, 0]);
  });
});

describe("doors of a leaving member", () => {
  const dealAmongThree = async () => {
    await app.createUser("carla");
    await deal();
  };

  test("disabling an account assigns the member's empty calendar doors to other members by lottery", async () => {
    await dealAmongThree();
    const before = await assignments();
    const filled = before.find(({ user_id }) => user_id === 2)!;
    await hang(filled.date);
    await anna.post("/api/admin/members/2/disabled", { disabled: true });
    const after = await assignments();
    expect(after).toHaveLength(24);
    expect(after.filter(({ user_id }) => user_id === 2)).toEqual([filled]);
    for (const door of before.filter(({ user_id }) => user_id !== 2)) expect(after).toContainEqual(door);
    const counts = await countDoors();
    expect([counts[1]! + counts[3]!, Math.abs(counts[1]! - counts[3]!)]).toEqual([23, 1]);
    expect((await dealings()).dealings[0]).toMatchObject({ doors: 7, left: true });
    const texts = (await anna.get("/api/admin/audit")).json.entries.map(({ text }: { text: string }) => text);
    expect(texts.slice(0, 2)).toEqual(["7 Türchen für 2026 neu verlost.", "Account gesperrt."]);
    // A member who is enabled again keeps the filled door but does not get the empty doors back.
    await anna.post("/api/admin/members/2/disabled", { disabled: false });
    expect((await countDoors())[2]).toBe(1);
  });

  test("deleting an account assigns the member's calendar doors to other members by lottery", async () => {
    await dealAmongThree();
    await ben.post("/api/user/delete", { uname: "ben", password, beers: "keep" });
    expect(await countDoors()).toEqual({ 1: 12, 3: 12 });
  });

  test("the last remaining member gets the empty calendar doors of all members whose accounts are disabled", async () => {
    await dealAmongThree();
    for (const id of [2, 3]) await changeDisabled(app.context, id, 1, true);
    expect(await countDoors()).toEqual({ 1: 24 });
  });

  test("the empty calendar doors of a member whose account is disabled become free if no member remains", async () => {
    await deal();
    for (const id of [2, 1]) await changeDisabled(app.context, id, null, true);
    expect(await assignments()).toEqual([]);
  });

  test("an empty calendar door whose day has begun still belongs to its member after the account is disabled", async () => {
    await app.db
      .insertInto("calendar_assignments")
      .values(["2026-12-05", "2026-12-06"].map((date) => ({ date, user_id: 2 })))
      .execute();
    app.clock.time = Date.parse("2026-12-05T10:00:00Z");
    await changeDisabled(app.context, 2, null, true);
    expect(await assignments()).toEqual([
      { date: "2026-12-05", user_id: 2 },
      { date: "2026-12-06", user_id: 1 },
    ]);
  });

  test("administrators and the new owners of a deleted member's calendar doors are told of the lottery by page and by push", async () => {
    await dealAmongThree();
    const carla = app.createClient();
    await carla.post("/api/login", { uname: "carla", password });
    await carla.post(`${own}-seen`);
    await anna.post(`${own}-seen`);
    await subscribeToPush(anna, "anna");
    await subscribeToPush(carla, "carla");
    const page = await connectPage(app, carla);
    await ben.post("/api/user/delete", { uname: "ben", password, beers: "keep" });
    await expect.poll(() => pushed().length).toBe(3);
    const texts = pushed().map(([browser, body]) => `${String(browser)}: ${String(body)}`);
    expect(texts).toContain("anna: Jemand ist gegangen: 8 Türchen sind neu verlost.");
    const { drawn } = (await carla.get(own)).json;
    expect(drawn).toHaveLength(4);
    expect(texts.find((text) => text.startsWith("carla"))).toContain(`Du hast ${Number(drawn[0].slice(8))}, `);
    expect((await page.next("own-doors-changed")).data).toEqual({ message: null });
    await pushLateDealings(app.context);
    expect(pushed()).toHaveLength(3);
  });

  test(
    "a calendar lottery gives no doors to a member whose account is disabled at the same time",
    { tags: "postgres" },
    async () => {
      await app.createUser("carla");
      await afterReading(
        app.holdQuery,
        "calendar_pictures",
        () => anna.post(lottery, { year: 2026 }),
        async () => void changeDisabled(app.context, 2, null, true),
      );
      await expect.poll(countDoors).toEqual({ 1: 12, 3: 12 });
    },
  );
});
