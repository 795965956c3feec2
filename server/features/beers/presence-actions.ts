import type { User } from "#contract/members.ts";
import { toasted, type VisibilityChange } from "#contract/presence.ts";
import { isShownWith } from "#contract/visibility.ts";
import { publishCounterChange } from "#server/features/beers/actions.ts";
import { publishMemberChange } from "#server/features/members/actions.ts";
import * as memberRules from "#server/features/members/rules.ts";
import * as memberStore from "#server/features/members/store.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import * as limitsStore from "#server/platform/limits/store.ts";
import * as store from "./store.ts";

/** Keeps members from being annoyed, so no factor multiplies it. */
const toastLimit = { limit: 1, seconds: 60, isFixed: true } as const;

/** Takes effect at once: open pages refetch what they show of the member. */
export async function updateVisibility(
  context: Pick<Context, "db" | "say">,
  member: Member,
  settings: VisibilityChange,
): Promise<User> {
  const visibility = memberRules.changeVisibility(member.visibility, settings);
  await change(context, member.id, async (tx, say) => {
    await memberStore.updateVisibility(tx, member.id, visibility);
    await store.incrementVersion(tx);
    await say.access({ userId: member.id });
    await publishMemberChange(say, member.id);
    await publishCounterChange(tx, say);
  });
  return { ...member, ...memberRules.toVisibilityFields(visibility) };
}

/**
 * Sends nothing if one of the two is not visible. Counts anyway, so that neither the answer nor its duration
 * reveals this.
 */
export async function toast(
  context: Pick<Context, "db" | "config" | "clock" | "say">,
  member: Member,
  id: number,
): Promise<void> {
  const other = await memberStore.findUserById(context.db, id);
  if (!other || other.disabled_at !== null || id === member.id) throw refuse("notFound");
  if ((await limitsStore.countAttempt(context, toastLimit, [`toast:${member.id}:${id}`])).left < 0) return;
  if ([member, memberStore.toUser(other)].some(({ visibility }) => !isShownWith(visibility, "presence"))) return;
  const { id: userId, name: userName, avatarId } = member;
  await change(context, member.id, (_, say) => say.event(toasted, { userId, userName, avatarId }, id));
}
