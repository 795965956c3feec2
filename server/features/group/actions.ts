import type { ManagedGroup } from "#contract/admin-group.ts";
import type { GroupWords } from "#contract/group.ts";
import { inTransaction } from "#server/db/connect.ts";
import { type Actor, recordAction } from "#server/platform/audit/store.ts";
import type { Platform } from "#server/platform/platform.ts";

export async function lookAtGroup({ group }: Pick<Platform, "group">): Promise<ManagedGroup> {
  return { ...(await group.words()), configured: group.configured };
}

/** Renames the group, in pages, mails and notifications, from the next one on. */
export async function changeGroup(
  { db, clock, group }: Pick<Platform, "db" | "clock" | "group">,
  wanted: GroupWords,
  by: Actor,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await group.words(tx);
    const fields = (["group_name", "group_short", "legal_links"] as const).filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(wanted[field]),
    );
    if (fields.length === 0) return;
    await group.change(tx, wanted);
    await recordAction(tx, "group-changed", { fields }, { at: clock.now(), by });
  });
}
