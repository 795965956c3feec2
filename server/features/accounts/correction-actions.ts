import { maxBeersTakenBack } from "#contract/corrections.ts";
import { publishCounterChange, removeBeers } from "#server/features/beers/actions.ts";
import * as beerStore from "#server/features/beers/store.ts";
import { changeAsAdmin } from "#server/features/members/actions.ts";
import * as memberStore from "#server/features/members/store.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { days, toIso } from "#server/time.ts";
import { findExistingUser } from "./management-actions.ts";
import { publishAppearance } from "./profile-actions.ts";

/** Omits both names from the audit log, because the log outlives the account. */
export async function correctName(context: Context, by: Member, userId: number, name: string): Promise<void> {
  await changeAsAdmin(context, by.id, async (tx, say) => {
    await findExistingUser(tx, userId);
    await memberStore.updateName(tx, userId, name);
    await beerStore.incrementVersion(tx);
    await say.audit("name-corrected", {}, userId);
    await publishAppearance(tx, say, userId);
  });
}

/** Refuses with 404 if the member has the default picture. */
export async function removeChosenPicture(context: Context, by: Member, userId: number): Promise<void> {
  await changeAsAdmin(context, by.id, async (tx, say) => {
    const avatarId = (await memberStore.lockUser(tx, userId))?.avatar_id ?? null;
    if (avatarId === null) throw refuse("notFound");
    await memberStore.updateAvatar(tx, userId, null);
    await memberStore.deletePicture(tx, userId, avatarId);
    await beerStore.incrementVersion(tx);
    await say.audit("picture-removed", {}, userId);
    await publishAppearance(tx, say, userId);
  });
}

export async function listBeersToTakeBack({ db, clock }: Pick<Context, "db" | "clock">, userId: number) {
  await findExistingUser(db, userId);
  const beers = await beerStore.listOwnBeers(db, userId, clock.now() - days(7), maxBeersTakenBack);
  return beers.map(({ id, at }) => ({ id, at: toIso(at) }));
}

/** Refuses with 404 if none of these beers belongs to the member. */
export async function takeBackBeersOf(context: Context, by: Member, userId: number, ids: readonly number[]) {
  const { config } = context;
  const count = await changeAsAdmin(context, by.id, async (tx, say) => {
    const removed = await removeBeers(tx, userId, ids, config.timeZone);
    if (removed === 0) throw refuse("notFound");
    await say.audit("beers-taken-back", { count: removed }, userId);
    await publishCounterChange(tx, say);
    return removed;
  });
  return { message: count === 1 ? "1 Bier zurückgenommen." : `${count} Biere zurückgenommen.` };
}
