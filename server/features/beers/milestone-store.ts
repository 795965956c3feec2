import { expressionBuilder, type Insertable, type Selectable } from "kysely";

import { shownWith } from "#contract/visibility.ts";
import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";

/** Returns `false` if it was already reached. */
export async function createMilestone(tx: Db, milestone: Insertable<Tables["milestones"]>): Promise<boolean> {
  return exists(
    tx
      .insertInto("milestones")
      .values(milestone)
      .onConflict((conflict) => conflict.doNothing())
      .returning("id"),
  );
}

/** Skips milestones of disabled members and those who are not visible; a milestone of the group does not name them. */
export async function findLatestMilestone(db: Db) {
  const users = expressionBuilder<Tables, "users">();
  const isNamed = users.and([
    users("users.disabled_at", "is", null),
    users("users.visibility", "in", shownWith.announcements),
  ]);
  return db
    .selectFrom("milestones")
    .innerJoin("users", "users.id", "milestones.user_id")
    .select(["milestones.id", "milestones.kind", "milestones.count", "milestones.at"])
    .select(({ eb }) => [
      eb.case().when(isNamed).then(eb.ref("users.name")).else(null).end().as("userName"),
      eb.case().when(isNamed).then(eb.ref("users.avatar_id")).else(null).end().as("avatarId"),
    ])
    .where(({ or, eb }) => or([eb("milestones.kind", "=", "group"), isNamed]))
    .orderBy("milestones.id", "desc")
    .limit(1)
    .executeTakeFirst();
}

type ReachedMilestone = Pick<Selectable<Tables["milestones"]>, "kind" | "count" | "at">;

export async function listOwnMilestones(db: Db, userId: number): Promise<ReachedMilestone[]> {
  return db
    .selectFrom("milestones")
    .select(["kind", "count", "at"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
}
