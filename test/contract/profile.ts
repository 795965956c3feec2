import type { ExampleCalls } from "#test/example-call.ts";
import { fixtures } from "#test/fixtures.ts";
import { password, type TestApp } from "#test/test-app.ts";
import { boundary, multipartForm } from "#test/upload.ts";

export const exampleCalls = {
  "POST /api/user/update": {
    status: 422,
    body: () => ({ uname: "frieda", name: "Frieda", email: "niemand@stammtisch.example" }),
  },
  "POST /api/user/changePassword": {
    body: () => ({ password, password_confirmation: password }),
  },
  "POST /api/user/confirmPassword": { body: () => ({ password }) },
  "DELETE /api/user/sessions/:id": { status: 404, path: `/api/user/sessions/${"a".repeat(64)}` },
  "POST /api/images/avatar": {
    body: () => multipartForm(fixtures.png),
    type: `multipart/form-data; boundary=${boundary}`,
  },
  "POST /api/user/avatar": { body: () => ({ id: null }) },
  "DELETE /api/user/avatars/:id": { status: 404, path: `/api/user/avatars/${"a".repeat(22)}` },
} satisfies ExampleCalls;

export async function createContractFixtures({ db }: TestApp): Promise<void> {
  const { avatarId: id, png } = fixtures;
  // David calls nothing, so he keeps his picture.
  const david = await db.selectFrom("users").select("id").where("uname", "=", "david").executeTakeFirstOrThrow();
  await db.insertInto("pictures").values({ id, user_id: david.id, png, created_at: 0 }).execute();
  await db.updateTable("users").set({ avatar_id: id }).where("id", "=", david.id).execute();
}
