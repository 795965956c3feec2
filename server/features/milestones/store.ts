import type { Insertable, Selectable } from "kysely";

import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";

/** Saves a milestone. Returns `false` if it was already reached. */
export async function createMilestone(tx: Db, milestone: Insertable<Tables["milestones"]>): Promise<boolean> {
  return exists(
    tx
      .insertInto("milestones")
      .values(milestone)
      .onConflict((conflict) => conflict.doNothing())
      .returning("id"),
  );
}

/** Returns the latest milestone of the group, or of an enabled member who is not paused. */
export async function findLatestMilestone(db: Db) {
  return db
    .selectFrom("milestones")
    .innerJoin("users", "users.id", "milestones.user_id")
    .select(["milestones.id", "milestones.kind", "milestones.count", "milestones.at"])
    .select(["users.name as userName", "users.avatar_id as avatarId"])
    .where("users.disabled_at", "is", null)
    .where("users.is_paused", "=", 0)
    .orderBy("milestones.id", "desc")
    .limit(1)
    .executeTakeFirst();
}

type ReachedMilestone = Pick<Selectable<Tables["milestones"]>, "kind" | "count" | "at">;

/**
 * Returns the milestones that a member's beers reached, in the order in which they were reached.
 */
export async function listOwnMilestones(db: Db, userId: number): Promise<ReachedMilestone[]> {
  return db
    .selectFrom("milestones")
    .select(["kind", "count", "at"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
}
