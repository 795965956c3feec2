import { expect, test } from "vitest";

import { updateAvatar } from "#server/features/members/store.ts";
import { createTestApp } from "#test/test-app.ts";

const app = await createTestApp({ HEIGHT_REQUESTED_BY: "Opa Karl" });
const anna = await app.createMember("anna");
const ben = await app.createUser("ben");

test("GET /api/user/:id/avatar returns only the picture id and the name of a member", async () => {
  expect((await anna.get(`/api/user/${ben}/avatar`)).json).toEqual({ avatarId: null, name: "Ben" });
  await updateAvatar(app.db, ben, "somebody");
  expect((await anna.get(`/api/user/${ben}/avatar`)).json).toEqual({ avatarId: "somebody", name: "Ben" });
});

test.each(["3", "0", "-1", "1.5", "02", "abc", "99999999999"])(
  "GET /api/user/:id/avatar answers 404 for the unknown or invalid id %j",
  async (id) => {
    expect((await anna.get(`/api/user/${id}/avatar`)).status).toBe(404);
  },
);

test("GET /api/config returns guests the name from HEIGHT_REQUESTED_BY", async () => {
  expect((await app.createClient().get("/api/config")).json).toMatchObject({ height_requested_by: "Opa Karl" });
});
