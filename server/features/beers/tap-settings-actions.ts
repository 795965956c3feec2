import type { BodyOf } from "#contract/endpoint.ts";
import type { saveTapSettings, TapSettings } from "#contract/tap-settings.ts";
import * as memberStore from "#server/features/members/store.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { hashPassword } from "#server/platform/security/passwords.ts";
import * as store from "./face-store.ts";

export async function findTapSettings({ db }: Pick<Context, "db">, { id }: Member): Promise<TapSettings> {
  const { is_on_tablets, is_tappable, pin_hash } = await store.findTapSettings(db, id);
  return { is_on_tablets: is_on_tablets === 1, is_tappable: is_tappable === 1, has_pin: pin_hash !== null };
}

export async function updateTapSettings(
  context: Context,
  member: Member,
  { is_on_tablets, is_tappable, pin }: BodyOf<typeof saveTapSettings>,
): Promise<TapSettings> {
  const settings = {
    ...(is_on_tablets !== undefined && { is_on_tablets: Number(is_on_tablets) }),
    ...(is_tappable !== undefined && { is_tappable: Number(is_tappable) }),
    ...(pin !== undefined && { pin_hash: pin && (await hashPassword(pin, context.hashCost)) }),
  };
  return change(context, member.id, async (tx) => {
    // The member may have been deleted while the PIN was hashed.
    if ((await memberStore.lockUser(tx, member.id))?.disabled_at !== null) throw refuse("notLoggedIn");
    if (Object.keys(settings).length > 0) await store.updateTapSettings(tx, member.id, settings);
    return findTapSettings({ db: tx }, member);
  });
}
