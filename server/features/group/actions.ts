import { groupChanged } from "#contract/group-events.ts";
import type { GroupSettings, ManagedGroup } from "#contract/group.ts";
import { inAdminChange } from "#server/features/members/actions.ts";
import { type Actor, createAuditEntry } from "#server/platform/audit/store.ts";
import type { Context } from "#server/platform/context.ts";

export async function findManagedGroup({ group }: Pick<Context, "group">): Promise<ManagedGroup> {
  return { ...(await group.settings()), configured: group.configured };
}

export async function updateGroup(
  { db, clock, group, realtime }: Pick<Context, "db" | "clock" | "group" | "realtime">,
  settings: GroupSettings,
  by: Actor,
): Promise<void> {
  await inAdminChange(db, by, async (tx) => {
    const before = await group.settings(tx);
    const fields = (["group_name", "group_short", "legal_links"] as const).filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(settings[field]),
    );
    if (fields.length === 0) return;
    await group.update(tx, settings);
    await createAuditEntry(tx, "group-changed", { fields }, { at: clock.now(), by });
    await realtime.publish(tx, groupChanged.name, groupChanged.channel, {});
  });
}
