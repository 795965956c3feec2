import { prefixed } from "#test/example-call.ts";
import { fixtures } from "#test/fixtures.ts";
import type { TestApp } from "#test/test-app.ts";

export const exportedFields = prefixed("calendar_pictures_removed[].", ["date", "text", "removed_at"]);

export async function createContractFixtures({ db, clock }: TestApp): Promise<void> {
  const { png } = fixtures;
  const users = await db.selectFrom("users").select("id").execute();
  const removed = { date: "2025-12-24", screen: png, phone: png, text: null, is_hidden: 0, is_by_owner: 1 };
  await db
    .insertInto("calendar_removed_pictures")
    .values(users.map(({ id }) => ({ ...removed, id: `removed-${id}`, owner_id: id, removed_at: clock.now() })))
    .execute();
}
