import { afterEach, beforeEach, expect, test } from "vitest";

import { updateAvatar } from "#server/features/members/store.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp({ HEIGHT_REQUESTED_BY: "Opa Karl" });
});

afterEach(() => app.close());

test("members are told picture and name of whoever wished for it, and nothing else", async () => {
  const anna = await app.createMember("anna");
  const ben = await app.createUser("ben");
  expect((await anna.get(`/api/user/${ben}/avatar`)).json).toEqual({ avatarId: null, name: "Ben" });
  await updateAvatar(app.db, ben, "somebody");
  expect((await anna.get(`/api/user/${ben}/avatar`)).json).toEqual({ avatarId: "somebody", name: "Ben" });
});

test.each(["3", "0", "-1", "1.5", "02", "abc", "99999999999"])("there is no member %j", async (id) => {
  const anna = await app.createMember("anna");
  expect((await anna.get(`/api/user/${id}/avatar`)).status).toBe(404);
});

test("strangers are told nothing but the name that the operator gives", async () => {
  await app.createUser("anna");
  await app.createUser("ben");
  expect((await app.createClient().get("/api/user/2/avatar")).status).toBe(401);
  expect((await app.createClient().get("/api/config")).json).toMatchObject({ height_requested_by: "Opa Karl" });
});
