import { type ExampleCalls, prefixed } from "#test/example-call.ts";
import type { TestApp } from "#test/test-app.ts";

export const exampleCalls = {
  "DELETE /api/christmas-calendar/notices/:id": {
    // In the fixtures, notice 1 belongs to the first member; calls of other members delete nothing.
    path: "/api/christmas-calendar/notices/1",
  },
} satisfies ExampleCalls;

export const exportedFields = prefixed("calendar_notices[].", ["at", "text"]);

export async function createContractFixtures({ db, clock }: TestApp): Promise<void> {
  const users = await db.selectFrom("users").select("id").execute();
  const notice = { at: clock.now(), kind: "picture-viewed", date: "2026-12-05", moved_to: null } as const;
  await db
    .insertInto("calendar_notices")
    .values(users.map(({ id }) => ({ ...notice, user_id: id })))
    .execute();
}
