import { groupChanged } from "#contract/group-events.ts";
import type { GroupSettings, ManagedGroup } from "#contract/group.ts";
import { changeAsAdmin } from "#server/features/members/actions.ts";
import type { Actor } from "#server/platform/audit/store.ts";
import type { Context } from "#server/platform/context.ts";

export async function findManagedGroup({ group }: Pick<Context, "group">): Promise<ManagedGroup> {
  return { ...(await group.settings()), configured: group.configured };
}

export async function updateGroup(
  context: Pick<Context, "db" | "clock" | "group" | "say">,
  settings: GroupSettings,
  by: Actor,
): Promise<void> {
  const { group } = context;
  await changeAsAdmin(context, by, async (tx, say) => {
    const before = await group.settings(tx);
    const fields = (["group_name", "group_short", "legal_links"] as const).filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(settings[field]),
    );
    if (fields.length === 0) return;
    await group.update(tx, settings);
    await say.audit("group-changed", { fields });
    await say.event(groupChanged, {});
  });
}
