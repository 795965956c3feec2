import { publishMemberChange } from "#server/features/members/actions.ts";
import { updateNewsSeen } from "#server/features/members/store.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";

/** Marks news as seen and notifies the member's open pages, also on other devices. */
export async function markNewsSeen(
  { db, realtime }: Pick<Context, "db" | "realtime">,
  member: Member,
  seen: number,
): Promise<void> {
  await updateNewsSeen(db, member.id, seen);
  publishMemberChange(realtime, member.id);
}
