import { afterEach, beforeEach, expect, test } from "vitest";

import { setAvatar } from "#server/features/members/store.ts";
import { type House, openHouse } from "#test/open-house.ts";

let house: House;

beforeEach(async () => {
  house = await openHouse({ HEIGHT_REQUESTED_BY: "Opa Karl" });
});

afterEach(() => house.close());

test("members are told picture and name of whoever wished for it, and nothing else", async () => {
  const anna = await house.member("anna");
  const ben = await house.seat("ben");
  expect((await anna.get(`/api/user/${ben}/avatar`)).json).toEqual({ avatarId: null, name: "Ben" });
  await setAvatar(house.db, ben, "somebody");
  expect((await anna.get(`/api/user/${ben}/avatar`)).json).toEqual({ avatarId: "somebody", name: "Ben" });
});

test.each(["3", "0", "-1", "1.5", "02", "abc", "99999999999"])("there is no member %j", async (id) => {
  const anna = await house.member("anna");
  expect((await anna.get(`/api/user/${id}/avatar`)).status).toBe(404);
});

test("strangers are told nothing but the name that the operator gives", async () => {
  await house.seat("anna");
  await house.seat("ben");
  expect((await house.visitor().get("/api/user/2/avatar")).status).toBe(401);
  expect((await house.visitor().get("/api/config")).json).toMatchObject({ height_requested_by: "Opa Karl" });
});
