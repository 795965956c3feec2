import { memberChanged, type User } from "#contract/members.ts";
import { type PresenceWish, toasted, toastEvery } from "#contract/presence.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { publishChange } from "#server/features/beercounter/actions.ts";
import { raiseVersion } from "#server/features/beercounter/store.ts";
import { findUserById, setPresence, toSwitches, toUser } from "#server/features/members/store.ts";
import { beginPause, findPauses } from "#server/features/notifications/store.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refuse.ts";
import type { Platform } from "#server/platform/platform.ts";

/** Sets both switches. Whoever hides is gone for the others at once, and a break changes everybody's ranking. */
export async function changePresence({ db, realtime }: Platform, member: Member, wish: PresenceWish): Promise<User> {
  const { is_hidden: wasHidden = false, is_paused: wasPaused = false, ...rest } = member;
  const isRankingChanged = wish.is_paused !== wasPaused;
  await inTransaction(db, async (tx) => {
    await setPresence(tx, member.id, wish);
    if (isRankingChanged) await raiseVersion(tx);
  });
  if (wish.is_shown === wasHidden) await realtime.accessChanged({ userId: member.id });
  realtime.publish(memberChanged.name, `${memberChanged.channel}${member.id}`, {});
  if (isRankingChanged) await publishChange({ db, realtime });
  return { ...rest, ...toSwitches(wish) };
}

/** Tells one member that another toasts back, unless one of them wants to be left in peace. */
export async function toast({ db, clock, realtime }: Platform, member: Member, id: number): Promise<void> {
  const other = await findUserById(db, id);
  if (!other || other.disabled_at !== null || id === member.id) throw refuse("M404");
  if ([member, toUser(other)].some(({ is_hidden, is_paused }) => is_hidden || is_paused)) return;
  if (!(await isFirstInAWhile(db, `toast ${member.id} ${id}`, clock.now()))) return;
  const { id: userId, name: userName, avatarId } = member;
  realtime.publish(toasted.name, `${toasted.channel}${id}`, { userId, userName, avatarId });
}

async function isFirstInAWhile(db: Db, key: string, now: number): Promise<boolean> {
  const last = (await findPauses(db, [key])).get(key);
  if (last && now < last.pushed_at + toastEvery) return false;
  return beginPause(db, key, last, { pushed_at: now, count: 0 });
}
