import { beforeEach, describe, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { fixtures } from "#test/fixtures.ts";
import { connectPage } from "#test/socket-client.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";

const hour = 60 * 60_000;
let app: TestApp;
let anna: Client;
let ben: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna", ["admin"]);
  ben = await app.createMember("ben");
});

const path = "/api/admin/members/2";
const drink = (client: Client, key?: string) =>
  client.post("/api/beercounter/counters", undefined, key ? { "idempotency-key": key } : {});
const beersOf = async () => (await anna.get(`${path}/beers`)).json as { id: number; at: string }[];
const takeBack = (ids: number[]) => anna.post(`${path}/beers/take-back`, { ids });
const ranking = async () => (await anna.get("/api/beercounter/stats/user")).json.users as { name: string }[];
const removePicture = () => anna.delete(`${path}/avatar`);
const firstLine = async () => (await anna.get("/api/admin/audit")).json.entries[0];
const byAnnaAboutBen = { actor: { id: 1 }, member: { id: 2 } };

describe("correction of beers", () => {
  test("an administrator can remove a member's beers of the last week from every count", async () => {
    await drink(anna);
    for (const key of ["ben-tap-1", "ben-tap-2", "ben-tap-3"]) await drink(ben, key);
    app.clock.time += hour;
    const [third, second] = await beersOf();
    const answer = await takeBack([third!.id, second!.id]);
    expect([answer.status, answer.json]).toEqual([200, { message: "2 Biere zurückgenommen." }]);
    expect((await ben.get("/api/beercounter/counters")).json).toEqual({ KSKCounterVal: 2, userCounterVal: 1 });
    const { thisWeek } = (await anna.get("/api/beercounter/stats/timely")).json;
    expect(thisWeek.reduce((sum: number, count: number) => sum + count)).toBe(2);
    expect(await firstLine()).toMatchObject({ text: "2 Biere zurückgenommen.", ...byAnnaAboutBen });
    await drink(ben, "ben-tap-3");
    expect((await beersOf()).length, "their taps are not booked again").toBe(1);
    app.clock.time += 7 * 24 * hour;
    await anna.post("/api/login", { uname: "anna", password });
    expect(await beersOf()).toEqual([]);
  });

  test("a correction of beers ignores beers of other members and beers already removed", async () => {
    await drink(anna);
    await drink(ben);
    const [first] = await beersOf();
    const { id } = first!;
    expect((await takeBack([id - 1])).status).toBe(404);
    expect((await takeBack([id, id - 1])).json).toEqual({ message: "1 Bier zurückgenommen." });
    expect((await takeBack([id])).status).toBe(404);
    expect((await anna.get("/api/beercounter/counters")).json).toEqual({ KSKCounterVal: 1, userCounterVal: 1 });
  });

  test("a correction of beers requires a password entered within three hours, and accepts at most a hundred beers", async () => {
    expect((await takeBack(Array.from({ length: 101 }, (_, index) => index + 1))).status).toBe(422);
    expect((await takeBack([])).status).toBe(422);
    await anna.post("/api/login", { uname: "anna", password, rememberUser: true });
    app.clock.time += 3 * hour;
    expect((await takeBack([1])).status).toBe(423);
  });
});

test("a member's name corrected by an administrator changes everywhere and is not in the audit log", async () => {
  const bensPage = await connectPage(app, ben);
  const answer = await anna.post(`${path}/name`, { name: "Benjamin" });
  expect([answer.status, answer.json]).toEqual([200, { message: "Name berichtigt." }]);
  await bensPage.next("member-changed");
  expect((await ben.get("/api/checkLoginStatus")).json.user.name).toBe("Benjamin");
  expect((await ranking()).map(({ name }) => name)).toContain("Benjamin");
  expect(await firstLine()).toMatchObject({ text: "Name berichtigt.", ...byAnnaAboutBen });
  const rows = await app.db.selectFrom("audit").selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain("Ben");
  expect((await anna.post(`${path}/name`, { name: " " })).json.errors).toHaveProperty("name");
  expect((await anna.post("/api/admin/members/99/name", { name: "Wer" })).status).toBe(404);
});

test("an administrator can remove a member's chosen picture, and the member's other pictures are kept", async () => {
  for (const id of [fixtures.avatarId, "bens-other-picture-000"])
    await app.db.insertInto("pictures").values({ id, user_id: 2, png: fixtures.png, created_at: 0 }).execute();
  await ben.post("/api/user/avatar", { id: fixtures.avatarId });
  expect((await removePicture()).json).toEqual({ message: "Profilbild entfernt." });
  expect((await ben.get(`/internal/images/avatar/${fixtures.avatarId}`)).status).toBe(404);
  expect((await ben.get("/api/checkLoginStatus")).json.user.avatarId).toBeNull();
  expect((await ben.get("/api/user/avatars")).json).toEqual([{ id: "bens-other-picture-000" }]);
  expect(await firstLine()).toMatchObject({ text: "Profilbild entfernt.", ...byAnnaAboutBen });
  expect((await removePicture()).status).toBe(404);
});
