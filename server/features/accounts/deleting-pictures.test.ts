import { randomBytes } from "node:crypto";

import { beforeEach, expect, test } from "vitest";

import { insertPicture } from "#server/features/members/store.ts";
import type { Client } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { fixtures } from "#test/fixtures.ts";
import { subscribe, connectPage } from "#test/socket-client.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";
import { upload } from "#test/upload.ts";

let app: TestApp;
let anna: Client;
let ben: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna");
  ben = await app.createMember("ben");
});

/** Inserts a picture of a member (Anna is 1, Ben is 2) into the database and returns its id. */
async function add(userId: number): Promise<string> {
  const id = randomBytes(16).toString("base64url");
  await insertPicture(app.db, { id, user_id: userId, png: fixtures.png, created_at: app.clock.now() });
  return id;
}

const choose = (client: Client, id: string | null) => client.post("/api/user/avatar", { id });
const remove = (client: Client, id: string) => client.delete(`/api/user/avatars/${id}`);
const getPicture = (client: Client, id: string) =>
  client.get(`/internal/images/avatar/${id}`, { "if-none-match": `"${id}"` });
const pictures = async (client: Client) =>
  (await client.get("/api/user/avatars")).json.map((picture: { id: string }) => picture.id);
const storedIds = async () => (await app.db.selectFrom("pictures").select("id").execute()).map(({ id }) => id);
const userOf = async (client: Client) => (await client.get("/api/checkLoginStatus")).json.user;

test("deleting an unselected picture removes it from the list, the database and the export", async () => {
  const [old, chosen] = [await add(1), await add(1)];
  await choose(anna, chosen);
  const answer = await remove(anna, old);
  expect([answer.status, answer.json]).toEqual([200, { message: "Profilbild gelöscht." }]);
  expect(await pictures(anna)).toEqual([chosen]);
  expect(await storedIds()).toEqual([chosen]);
  expect((await getPicture(anna, old)).status).toBe(404);
  expect((await userOf(anna)).avatarId).toBe(chosen);
  const { profile, pictures: exported } = (await anna.get("/api/user/export")).json;
  expect([profile.avatar, exported.map(({ id }: { id: string }) => id)]).toEqual([chosen, [chosen]]);
});

test("after the selected picture is deleted, all members see the default picture", async () => {
  const id = await add(1);
  await choose(anna, id);
  expect((await getPicture(ben, id)).status).toBe(304);
  expect((await remove(anna, id)).status).toBe(200);
  for (const client of [anna, ben]) expect((await getPicture(client, id)).status).toBe(404);
  expect(await userOf(anna)).toMatchObject({ avatarId: null, profile_picture: null });
  const { users } = (await ben.get("/api/beercounter/stats/user")).json;
  expect(users.find((user: { id: number }) => user.id === 1).profile_picture).toBeNull();
  expect((await anna.get("/api/user/export")).json).toMatchObject({ profile: { avatar: null }, pictures: [] });
});

test("other members are told at once of a member's new name or selected picture, but not of a deleted unselected picture", async () => {
  const [id, other] = [await add(1), await add(1)];
  const [annas, bens] = [await connectPage(app, anna), await connectPage(app, ben)];
  await subscribe(anna, annas, "presence-stammtisch");
  await subscribe(ben, bens, "presence-stammtisch");

  const renamed = { uname: "anna", name: "Anna Baum", email: "anna@stammtisch.example" };
  for (const [user_info, change] of [
    [{ name: "Anna", avatarId: id }, () => choose(anna, id)],
    [{ name: "Anna", avatarId: null }, () => remove(anna, id)],
    [{ name: "Anna Baum", avatarId: null }, () => anna.post("/api/user/update", renamed)],
  ] as const) {
    expect((await change()).status).toBe(200);
    await annas.next("member-changed");
    // The event `updated` makes pages refetch the ranking.
    expect((await bens.next("updated")).data).toMatchObject({ counterVal: 0, userId: null });
    const { data } = await bens.next("pusher_internal:member_added");
    expect(data).toEqual({ user_id: "1", user_info });
  }

  for (const socket of [annas, bens]) await socket.flush();
  const before = [annas, bens].map(({ messages }) => messages.length);
  expect((await remove(anna, other)).status).toBe(200);
  for (const socket of [annas, bens]) await socket.flush();
  // The only new message per socket is the pong that `flush` waits for.
  expect([annas, bens].map(({ messages }) => messages.length)).toEqual(before.map((count) => count + 1));
});

test("deleting a picture that is unknown, already deleted or another member's is a 404", async () => {
  const bens = await add(2);
  await choose(ben, bens);
  const gone = await add(1);
  await remove(anna, gone);
  for (const id of [bens, gone, "A".repeat(22), "A".repeat(21), "x", "%00", "..%2f..%2fstammtisch.db"]) {
    expectRefusal(await remove(anna, id), 404, "Nicht gefunden.", id);
  }
  expect(await pictures(ben)).toEqual([bens]);
  expect((await userOf(ben)).avatarId).toBe(bens);
});

test("a member at the limit of twenty pictures can upload another after deleting one", async () => {
  for (let count = 0; count < 20; count++) await add(1);
  expect((await upload(anna, fixtures.png)).json.errors).toEqual({ avatar: ["Profilbild-Limit erreicht (20)."] });
  const [newest] = await pictures(anna);
  await remove(anna, newest);
  expect((await upload(anna, fixtures.png)).status).toBe(201);
  expect(await storedIds()).toHaveLength(20);
});

test(
  "a picture that is selected and deleted concurrently is not the selected picture afterwards",
  { tags: "postgres" },
  async () => {
    for (let round = 0; round < 20; round++) {
      const id = await add(1);
      const answers = await Promise.all([choose(anna, id), remove(anna, id), choose(anna, id)]);
      expect([[200, 422], [200], [200, 422]].map((allowed, index) => allowed.includes(answers[index]!.status))).toEqual(
        [true, true, true],
      );
      expect((await userOf(anna)).avatarId).toBeNull();
    }
  },
);
