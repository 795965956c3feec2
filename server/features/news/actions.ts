import { publishMemberChange } from "#server/features/members/actions.ts";
import { updateNewsSeen } from "#server/features/members/store.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";

/** Marks news as seen and notifies the member's open pages, also on other devices. */
export async function markNewsSeen(context: Pick<Context, "db" | "say">, member: Member, seen: number): Promise<void> {
  await change(context, member.id, async (tx, say) => {
    await updateNewsSeen(tx, member.id, seen);
    await publishMemberChange(say, member.id);
  });
}
