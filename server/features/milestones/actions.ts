import type { Counters } from "#contract/beercounter.ts";
import type { DataOf } from "#contract/event.ts";
import { milestoneReached } from "#contract/milestones.ts";
import type { Db } from "#server/db/connect.ts";
import type { Member } from "#server/platform/http/member.ts";
import type { Context } from "#server/platform/context.ts";
import { isGroupMilestone, isMemberMilestone } from "./rules.ts";
import { createMilestone } from "./store.ts";

/** A beer that was drunk just now, and where the counts stood right after it. */
export interface FreshBeer {
  readonly member: Member;
  readonly at: number;
  readonly counters: Counters;
}

type ReachedMilestone = DataOf<typeof milestoneReached>;

/** Which of these beers were milestones that nobody has celebrated yet. Belongs into the transaction that books them. */
export async function recordMilestones(tx: Db, beers: readonly FreshBeer[]): Promise<ReachedMilestone[]> {
  const reached: ReachedMilestone[] = [];
  for (const { member, at, counters } of beers) {
    const { KSKCounterVal: groupTotal, userCounterVal: ownTotal } = counters;
    const who = { userId: member.id, userName: member.name, avatarId: member.avatarId };
    const round = [
      ...(isMemberMilestone(ownTotal) ? [{ kind: "member", count: ownTotal } as const] : []),
      ...(isGroupMilestone(groupTotal) ? [{ kind: "group", count: groupTotal } as const] : []),
    ];
    for (const milestone of round) {
      const isNew = await createMilestone(tx, { ...milestone, user_id: member.id, at });
      if (isNew) reached.push({ ...milestone, ...who });
    }
  }
  return reached;
}

/** Tells every open page; only after the commit. */
export function publishMilestones({ realtime }: Pick<Context, "realtime">, reached: readonly ReachedMilestone[]): void {
  for (const milestone of reached) realtime.publish(milestoneReached.name, milestoneReached.channel, milestone);
}
