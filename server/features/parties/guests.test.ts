import { beforeEach, describe, expect, test } from "vitest";

import { guestLimits } from "#contract/party-guests.ts";
import { partyLimits } from "#contract/party.ts";
import { findGroupTotal } from "#server/features/beers/store.ts";
import { updateDisabledAt } from "#server/features/members/store.ts";
import { days, hours, minutes } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { connectPage } from "#test/socket-client.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { jobs } from "./jobs.ts";

let app: TestApp;
let anna: Client;
let ben: Client;
let carla: Client;
let start: number;
let party: number;

/**
 * Creates the members Anna (id 1, the administrator), Ben (2) and Carla (3). Ben starts a party,
 * and Carla joins the party.
 */
beforeEach(async () => {
  app = await createTestApp();
  [anna, ben, carla] = [await app.createMember("anna"), await app.createMember("ben"), await app.createMember("carla")];
  await app.rememberSessions();
  start = app.clock.now();
  party = await startParty(ben);
  await carla.post(`/api/parties/${party}/members`);
});

async function startParty(client: Client): Promise<number> {
  return (await client.post("/api/parties", { name: "Grillen bei Ben" })).json.id;
}

const add = (client: Client, name: string, id = party) =>
  client.post(`/api/parties/${id}/guests`, { name, has_agreed: true });
const drink = (client: Client, guest: number, key: string, age = 0) =>
  client.post(`/api/party-guests/${guest}/beers`, undefined, { "idempotency-key": key, "tap-age": String(age) });
const undo = (client: Client, guest: number, key: string) => client.delete(`/api/party-guests/${guest}/beers/${key}`);
const remove = (client: Client, guest: number) => client.delete(`/api/party-guests/${guest}`);
const show = async (client: Client, id = party) => (await client.get(`/api/parties/${id}`)).json;
const listNames = async () =>
  (await app.db.selectFrom("party_guests").select("name").execute()).map(({ name }) => name);

async function addGuest(client: Client, name: string, id = party): Promise<number> {
  const answer = await add(client, name, id);
  expect(answer.status, answer.text).toBe(201);
  return answer.json.id;
}

async function endParty(at: number): Promise<void> {
  app.clock.time = at;
  expect((await ben.post(`/api/parties/${party}/end`)).status).toBe(200);
}

describe("party guests", () => {
  test("a party lists a guest with the inviting member, and the guest's beers count only at the party", async () => {
    const mia = await addGuest(ben, " Mia ");
    const page = await connectPage(app, carla);
    expect((await drink(ben, mia, "first-beer")).json).toEqual({ total: 1 });
    expect((await page.next("updated")).data).toMatchObject({ counterVal: 0, userId: null, userName: null });
    await ben.post("/api/beercounter/counters");
    const listed = { id: mia, name: "Mia", by: "Ben", total: 1, is_by_qr: false };
    expect(await show(ben)).toMatchObject({
      total: 2,
      guest_total: 1,
      own_total: 1,
      guest_count: 1,
      guests: [{ ...listed, can_count: true, can_remove: true, undo_keys: ["first-beer"] }],
    });
    expect((await show(carla)).guests).toEqual([{ ...listed, can_count: false, can_remove: false, undo_keys: [] }]);
    expect((await show(anna)).guests).toEqual([{ ...listed, can_count: false, can_remove: true, undo_keys: [] }]);
    expect((await carla.get("/api/parties")).json.parties).toMatchObject([{ total: 2, guest_total: 1 }]);
    expect((await ben.get("/api/beercounter/counters")).json).toEqual({ KSKCounterVal: 1, userCounterVal: 1 });
    const { users } = (await ben.get("/api/beercounter/stats/user")).json;
    expect(users.map(({ name }: { name: string }) => name)).not.toContain("Mia");
  });

  test("only the member who added a guest can count the guest's beers", async () => {
    const mia = await addGuest(ben, "Mia");
    for (const client of [carla, anna])
      for (const refused of [await drink(client, mia, "not-my-guest"), await undo(client, mia, "not-my-guest")])
        expectRefusal(refused, 403, "Für einen Gast zählt nur, wer ihn dazugeholt hat.");
    expect((await show(ben)).total).toBe(0);
  });

  test("a party lists the guest of a hidden member without the member's name, and the member can still count", async () => {
    const mia = await addGuest(carla, "Mia");
    await carla.post("/api/user/presence", { visibility: "hidden" });
    expect((await show(ben)).guests).toMatchObject([{ name: "Mia", by: null }]);
    expect((await drink(carla, mia, "hidden-tap")).status).toBe(200);
  });

  test("the party's creator can count the beers of a guest whose member is disabled", async () => {
    const mia = await addGuest(carla, "Mia");
    await drink(carla, mia, "first-beer");
    expectRefusal(await drink(ben, mia, "second-beer"), 403, "Für einen Gast zählt nur, wer ihn dazugeholt hat.");
    await updateDisabledAt(app.db, 3, app.clock.now());
    expect((await drink(ben, mia, "second-beer")).json).toEqual({ total: 2 });
    expect((await show(ben)).guests).toMatchObject([{ by: null, can_count: true }]);
  });

  test.each(["keep", "remove"])(
    "a party guest's beers are kept if the member who added the guest deletes the account (choice %s)",
    async (beers) => {
      const mia = await addGuest(carla, "Mia");
      await drink(carla, mia, "first-beer");
      expect((await carla.post("/api/user/delete", { uname: "carla", password, beers })).status).toBe(200);
      expect(await show(ben)).toMatchObject({
        total: 1,
        guests: [{ name: "Mia", by: null, total: 1, can_count: true }],
      });
    },
  );

  test("only members who are at a running party can add a guest, and only with the guest's consent", async () => {
    expectRefusal(await add(anna, "Mia"), 403, "Gäste bringt nur mit, wer selbst dabei ist.");
    const { status, json } = await ben.post(`/api/parties/${party}/guests`, { name: "Mia", has_agreed: false });
    expect([status, json.errors]).toEqual([422, { has_agreed: ["Ohne Einverständnis geht es nicht."] }]);
    expect((await add(ben, "Mia", 4711)).status).toBe(404);
    await carla.post(`/api/parties/${party}/home`);
    expectRefusal(await add(carla, "Mia"), 403, "Gäste bringt nur mit, wer selbst dabei ist.");
    await endParty(start + hours(1));
    expectRefusal(await add(ben, "Mia"), 422, "Diese Party ist schon vorbei.");
    expect(await listNames()).toEqual([]);
  });

  test.each([
    ["", "Vorname muss ausgefüllt werden."],
    ["x".repeat(guestLimits.name + 1), "Vorname darf maximal 20 Zeichen haben."],
    ["MIA", "Ein Gast mit diesem Namen ist schon dabei."],
  ])("a party guest with the invalid or taken name %j is refused", async (name, text) => {
    await addGuest(carla, "Mia");
    const { status, json } = await add(ben, name);
    expect([status, json.errors]).toEqual([422, { name: [text] }]);
  });

  test("guests of two simultaneous parties may have the same name", async () => {
    const other = await startParty(carla);
    const [first, second] = [await addGuest(ben, "Mia"), await addGuest(carla, "Mia", other)];
    await drink(ben, first, "same-key");
    await drink(carla, second, "same-key");
    await drink(carla, second, "other-key");
    expect([(await show(ben)).total, (await show(ben, other)).total]).toEqual([1, 2]);
  });

  test("a party accepts at most thirty guests, even if more are added concurrently", { tags: "postgres" }, async () => {
    const names = Array.from({ length: guestLimits.count + 2 }, (_, index) => `Gast ${index}`);
    const answers = await Promise.all(names.map((name) => add(ben, name)));
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused.map(({ json }) => json.message)).toEqual(Array(2).fill("Mehr als 30 Gäste gehen nicht."));
  });

  test("the member who added a guest, the party's creator and administrators can remove the guest with all beers", async () => {
    const guests = [await addGuest(carla, "Mia"), await addGuest(carla, "Noah"), await addGuest(carla, "Ole")] as const;
    for (const guest of guests) await drink(carla, guest, "first-beer");
    const bens = await addGuest(ben, "Pia");
    expectRefusal(await remove(carla, bens), 403, "Diese Aktion ist nicht autorisiert.");
    for (const [index, client] of [carla, ben, anna].entries())
      expect((await remove(client, guests[index]!)).json).toEqual({ message: "Gast entfernt." });
    expect(await show(ben)).toMatchObject({ total: 0, guests: [{ name: "Pia" }] });
    expectRefusal(await drink(carla, guests[0], "second-beer"), 422, "Diesen Gast gibt es nicht mehr.");
    const { entries } = (await anna.get("/api/admin/audit")).json;
    expect(entries.map(({ text }: { text: string }) => text)).toEqual([`Gast der Party ${party} entfernt.`]);
    await endParty(start + hours(1));
    expectRefusal(await remove(ben, bens), 422, "Diese Party ist schon vorbei.");
  });

  test("the account export contains the guests that the member added to parties", async () => {
    const mia = await addGuest(ben, "Mia");
    await drink(ben, mia, "first-beer");
    const exported = async () => (await ben.get("/api/user/export")).json.party_guests;
    expect(await exported()).toEqual([{ party: "Grillen bei Ben", name: "Mia", beers: 1 }]);
    await endParty(start + hours(1));
    expect(await exported()).toEqual([{ party: "Grillen bei Ben", name: null, beers: 1 }]);
    expect((await carla.get("/api/user/export")).json.party_guests).toEqual([]);
  });
});

describe("beers of party guests", () => {
  test(
    "a tap for a party guest that is sent five times books one beer and changes the counts once",
    { tags: "postgres" },
    async () => {
      const mia = await addGuest(ben, "Mia");
      const { version } = await findGroupTotal(app.db);
      const answers = await Promise.all(Array.from({ length: 5 }, () => drink(ben, mia, "one-tap-only")));
      expect(answers.map(({ json }) => json.total)).toEqual([1, 1, 1, 1, 1]);
      expect((await findGroupTotal(app.db)).version).toBe(version + 1);
      const { status, json } = await ben.post(`/api/party-guests/${mia}/beers`);
      expect([status, json.errors]).toEqual([422, { "Idempotency-Key": ["Idempotency-Key muss ausgefüllt werden."] }]);
    },
  );

  test("a party guest's late beer counts only if it was drunk before the end of the party", async () => {
    const mia = await addGuest(ben, "Mia");
    await endParty(start + hours(1));
    app.clock.time = start + hours(5);
    expect((await drink(ben, mia, "tap-in-time", hours(4.5))).json).toEqual({ total: 1 });
    expectRefusal(await drink(ben, mia, "tap-too-late", hours(3.5)), 422, "Diese Party ist schon vorbei.");
    expect((await show(ben)).total).toBe(1);
    const { json } = await drink(ben, mia, "tap-too-old", days(7) + 1);
    expect(json.errors).toEqual({ "Tap-Age": ["Es ist älter als eine Woche."] });
  });

  test("a party guest's beer can be undone within 15 minutes, even after the end of the party", async () => {
    const mia = await addGuest(ben, "Mia");
    app.clock.time = start + hours(1);
    await drink(ben, mia, "first-beer");
    await drink(ben, mia, "second-beer");
    await endParty(start + hours(1) + minutes(5));
    app.clock.time = start + hours(1) + minutes(15) - 1;
    expect((await undo(ben, mia, "second-beer")).json).toEqual({ total: 1 });
    expect((await undo(ben, mia, "second-beer")).json).toEqual({ total: 1 });
    app.clock.time += 1;
    const late = await undo(ben, mia, "first-beer");
    expectRefusal(late, 403, "Zu spät: Ein Bier lässt sich nur 15 Minuten lang zurücknehmen.");
    expect((await show(ben)).total).toBe(1);
  });

  test("a party guest's beer that is undone before its tap arrives never counts", { tags: "postgres" }, async () => {
    const mia = await addGuest(ben, "Mia");
    expect((await undo(ben, mia, "lost-on-the-way")).json).toEqual({ total: 0 });
    expect((await drink(ben, mia, "lost-on-the-way")).json).toEqual({ total: 0 });
    expect(await show(ben)).toMatchObject({ total: 0, guests: [{ total: 0, undo_keys: [] }] });
  });

  test("a party guest's beer is refused if it was tapped by another member than the member who is logged in", async () => {
    const mia = await addGuest(ben, "Mia");
    const headers = { "idempotency-key": "not-my-tap", "tapped-by": "3" };
    expect((await ben.post(`/api/party-guests/${mia}/beers`, undefined, headers)).status).toBe(401);
  });
});

describe("party guests after the party", () => {
  test("ending a party deletes the names of its guests, but keeps the number of guests and their beers", async () => {
    const mia = await addGuest(ben, "Mia");
    await addGuest(carla, "Noah");
    await drink(ben, mia, "first-beer");
    await endParty(start + hours(1));
    expect(await show(ben)).toMatchObject({ total: 1, guests: [], guest_count: 2 });
    expect(await listNames()).toEqual([null, null]);
    expect((await carla.get("/api/parties")).json.parties).toMatchObject([{ total: 1 }]);
  });

  test("when a party ends automatically, the names of its guests are hidden at once and later deleted by a job", async () => {
    await addGuest(ben, "Mia");
    await jobs[0]!.run(app.context);
    expect(await listNames()).toEqual(["Mia"]);
    app.clock.time = start + partyLimits.length;
    expect(await show(ben)).toMatchObject({ guests: [], guest_count: 1 });
    await jobs[0]!.run(app.context);
    expect(await listNames()).toEqual([null]);
  });

  test("deleting a party deletes the party's guests and the guests' beers", async () => {
    const mia = await addGuest(ben, "Mia");
    await drink(ben, mia, "first-beer");
    await endParty(start + hours(1));
    expect((await ben.delete(`/api/parties/${party}`)).status).toBe(200);
    expect(await listNames()).toEqual([]);
    expect(await app.db.selectFrom("party_guest_beers").selectAll().execute()).toEqual([]);
  });
});
