import { inTransaction } from "#server/db/connect.ts";
import { publishMemberChange } from "#server/features/members/actions.ts";
import { updateNewsSeen } from "#server/features/members/store.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";

/** Marks news as seen and notifies the member's open pages, also on other devices. */
export async function markNewsSeen(
  context: Pick<Context, "db" | "realtime">,
  member: Member,
  seen: number,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await updateNewsSeen(tx, member.id, seen);
    await publishMemberChange(tx, context, member.id);
  });
}
