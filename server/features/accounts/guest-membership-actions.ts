import { guestTokenDays } from "#contract/guest-device.ts";
import { manageParty } from "#server/features/parties/actions.ts";
import * as guestStore from "#server/features/parties/guest-store.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { days } from "#server/time.ts";
import * as store from "./invitation-store.ts";

/** The guest's device already knows the token, so that the answer to it contains no secret. */
export async function answerGuest(
  context: Context,
  member: Member,
  guestId: number,
  isAccepted: boolean,
): Promise<void> {
  const now = context.clock.now();
  const found = await guestStore.findRequest(context.db, guestId);
  if (!found) throw refuse("notFound");
  await manageParty(context, member, found.party_id, "party-guest-answered", async (tx, say) => {
    const asking = await guestStore.findRequest(tx, guestId);
    const expires_at = found.ends_at + days(guestTokenDays);
    if (asking?.request !== "open" || asking.token_hash === null || expires_at <= now) throw refuse("guestGone");
    await guestStore.updateGuest(
      tx,
      guestId,
      isAccepted ? { request: "accepted" } : { request: "declined", requested_name: null },
    );
    if (!isAccepted) return;
    const invitation = await store.insertInvitation(tx, {
      token_hash: asking.token_hash,
      permissions: [],
      created_by: member.id,
      created_at: now,
      expires_at,
      uses_left: 1,
      is_first: 0,
    });
    await say.audit("invitation-made", { invitation, permissions: [], days: guestTokenDays, uses: 1 });
  });
}
