import { prefixed } from "#test/example-call.ts";
import type { TestApp } from "#test/test-app.ts";

export const exportedFields = prefixed("account_events[].", ["at", "kind", "device"]);

export async function createContractFixtures({ db, clock }: TestApp): Promise<void> {
  const users = await db.selectFrom("users").select("id").execute();
  const event = { at: clock.now(), kind: "login", device: "Firefox auf Android" } as const;
  await db
    .insertInto("account_events")
    .values(users.map(({ id }) => ({ ...event, user_id: id })))
    .execute();
}
