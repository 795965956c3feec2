import { type ContractRows, members, prefixed } from "#test/contract-row.ts";
import { fixtures } from "#test/fixtures.ts";
import { password, type TestApp } from "#test/test-app.ts";
import { boundary, multipartForm } from "#test/upload.ts";

export const contractRows = {
  "POST /api/user/update": {
    statuses: members(422),
    body: () => ({ uname: "frieda", name: "Frieda", email: "niemand@stammtisch.example" }),
    fields: [],
  },
  "POST /api/user/changePassword": {
    statuses: members(200),
    body: () => ({ password, password_confirmation: password }),
    fields: ["message"],
  },
  "POST /api/user/confirmPassword": { statuses: members(200), body: () => ({ password }), fields: ["message"] },
  "GET /api/user/sessions": {
    statuses: members(200, "GET"),
    fields: prefixed("[].", ["id", "device", "created_at", "last_seen_at", "current"]),
  },
  "DELETE /api/user/sessions/:id": {
    statuses: members(404),
    path: `/api/user/sessions/${"a".repeat(64)}`,
    fields: [],
  },
  "DELETE /api/user/sessions": { statuses: members(200), fields: ["message"] },
  "POST /api/images/avatar": {
    statuses: members(201),
    body: () => multipartForm(fixtures.png),
    type: `multipart/form-data; boundary=${boundary}`,
    fields: ["message", "id"],
  },
  "GET /api/user/avatars": { statuses: members(200, "GET"), fields: ["[].id"] },
  "POST /api/user/avatar": { statuses: members(200), body: () => ({ id: null }), fields: ["message"] },
  "DELETE /api/user/avatars/:id": { statuses: members(404), path: `/api/user/avatars/${"a".repeat(22)}`, fields: [] },
} satisfies ContractRows;

export async function createContractFixtures({ db }: TestApp): Promise<void> {
  const { avatarId: id, png } = fixtures;
  const carla = await db.selectFrom("users").select("id").where("uname", "=", "carla").executeTakeFirstOrThrow();
  await db.insertInto("pictures").values({ id, user_id: carla.id, png, created_at: 0 }).execute();
  await db.updateTable("users").set({ avatar_id: id }).where("id", "=", carla.id).execute();
}
