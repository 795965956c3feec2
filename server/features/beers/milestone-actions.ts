import type { Totals } from "#contract/beercounter.ts";
import type { DataOf } from "#contract/event.ts";
import type { User } from "#contract/members.ts";
import { milestoneReached } from "#contract/milestones.ts";
import type { Db } from "#server/db/connect.ts";
import type { Say } from "#server/platform/say.ts";
import { milestonesAt } from "./milestone-rules.ts";
import * as store from "./milestone-store.ts";

/** `totals` include the beer. `member` is `null` if the beer is late or the member is not visible. */
export interface NewBeer {
  readonly userId: number;
  readonly member: User | null;
  readonly isLate: boolean;
  readonly at: number;
  readonly totals: Totals;
}

type ReachedMilestone = DataOf<typeof milestoneReached>;

/**
 * Saves and returns the milestones that are reached for the first time. Call this in the transaction that books the
 * beers.
 */
export async function recordMilestones(tx: Db, beers: readonly NewBeer[]): Promise<ReachedMilestone[]> {
  const reached: ReachedMilestone[] = [];
  for (const { userId: user_id, member, isLate, at, totals } of beers) {
    if (isLate) continue;
    const { id: userId = null, name: userName = null, avatarId = null } = member ?? {};
    for (const milestone of milestonesAt(totals)) {
      if (milestone.kind === "member" && member === null) continue;
      const isNew = await store.createMilestone(tx, { ...milestone, user_id, at });
      if (isNew) reached.push({ ...milestone, userId, userName, avatarId });
    }
  }
  return reached;
}

export async function announceMilestones(say: Say, reached: readonly ReachedMilestone[]): Promise<void> {
  for (const milestone of reached) {
    const { kind, count, userId } = milestone;
    await say.event(milestoneReached, milestone);
    await say.webhook({ event: "milestone", kind, count, userId });
  }
}
