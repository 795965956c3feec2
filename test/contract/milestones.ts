import type { TestApp } from "#test/test-app.ts";

/** Inserts a milestone for every member; replies of other features contain milestones. */
export async function createContractFixtures({ db, clock }: TestApp): Promise<void> {
  const users = await db.selectFrom("users").select("id").execute();
  const milestones = users.map(({ id }) => ({ kind: "member", count: 50, user_id: id, at: clock.now() }) as const);
  await db.insertInto("milestones").values(milestones).execute();
}
