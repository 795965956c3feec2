import type { User } from "#contract/members.ts";
import { type PresenceSettings, toasted } from "#contract/presence.ts";
import { publishCounterChange } from "#server/features/beers/actions.ts";
import { publishMemberChange } from "#server/features/members/actions.ts";
import * as memberStore from "#server/features/members/store.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import * as limitsStore from "#server/platform/limits/store.ts";
import * as store from "./store.ts";

/** Keeps members from being annoyed, so no factor multiplies it. */
const toastLimit = { limit: 1, seconds: 60, isFixed: true } as const;

/** Hiding or pausing takes effect at once. A changed pause or member page makes open pages refetch the counts. */
export async function updatePresence(
  context: Pick<Context, "db" | "say">,
  member: Member,
  settings: PresenceSettings,
): Promise<User> {
  const {
    is_hidden: wasHidden = false,
    is_paused: wasPaused = false,
    is_mat_hidden: wasMatHidden = false,
    ...rest
  } = member;
  const saved = { ...settings, is_mat_shown: settings.is_mat_shown ?? !wasMatHidden };
  const areCountsChanged = saved.is_paused !== wasPaused || saved.is_mat_shown === wasMatHidden;
  const isPresenceChanged = (saved.is_shown && !saved.is_paused) !== (!wasHidden && !wasPaused);
  await change(context, member.id, async (tx, say) => {
    await memberStore.setPresence(tx, member.id, saved);
    if (areCountsChanged) await store.incrementVersion(tx);
    if (isPresenceChanged) await say.access({ userId: member.id });
    await publishMemberChange(say, member.id);
    if (areCountsChanged) await publishCounterChange(tx, say);
  });
  return { ...rest, ...memberStore.toPresenceFlags(saved) };
}

/**
 * Sends nothing if one of the two is hidden or paused. Counts anyway, so that neither the answer nor its duration
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
  if ([member, memberStore.toUser(other)].some(({ is_hidden, is_paused }) => is_hidden || is_paused)) return;
  const { id: userId, name: userName, avatarId } = member;
  await change(context, member.id, (_, say) => say.event(toasted, { userId, userName, avatarId }, id));
}
