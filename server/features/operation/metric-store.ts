import type { Db } from "#server/db/connect.ts";

export async function countActiveMembers(db: Db): Promise<number> {
  const { members } = await db
    .selectFrom("users")
    .select(({ fn }) => fn.countAll<number>().as("members"))
    .where("disabled_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(members);
}
