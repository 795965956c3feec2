import { type Permission, permissions } from "#contract/endpoint.ts";
import type { AccessLinks, ManagedMember } from "#contract/member-management.ts";
import type { Db } from "#server/db/connect.ts";
import { publishCounterChange } from "#server/features/beers/actions.ts";
import * as beerStore from "#server/features/beers/store.ts";
import { announceDealings, dealDoorsOfLeaver } from "#server/features/calendar/lottery-actions.ts";
import { changeAsAdmin } from "#server/features/members/actions.ts";
import { isDeletedAccount } from "#server/features/members/rules.ts";
import * as memberStore from "#server/features/members/store.ts";
import * as tvStore from "#server/features/tv/store.ts";
import * as webhookStore from "#server/features/webhooks/store.ts";
import type { Actor } from "#server/platform/audit/store.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import type { Say } from "#server/platform/say.ts";
import { toIso } from "#server/time.ts";
import * as invitationStore from "./invitation-store.ts";
import { endAllSessions } from "./login-actions.ts";
import * as store from "./management-store.ts";
import { createResetLink, type ResetLink } from "./reset-actions.ts";
import * as resetStore from "./reset-store.ts";
import * as tokenStore from "./token-store.ts";

type AdminContext = Pick<Context, "db" | "say" | "config" | "clock">;

export async function setMemberPermissions(
  context: Context,
  by: Member,
  userId: number,
  wanted: readonly Permission[],
): Promise<void> {
  await changePermissions(context, userId, by.id, () => permissions.filter((one) => wanted.includes(one)));
  context.log.info("permissions-changed", { user: userId, by: by.id });
}

/**
 * Changes permissions; only the command line may remove the last administrator. `revoked` is `null` unless the member
 * loses `admin`.
 */
export async function changePermissions(
  context: AdminContext,
  userId: number,
  by: Actor,
  choose: (held: readonly Permission[]) => Permission[],
): Promise<{ permissions: Permission[]; revoked: AccessLinks | null }> {
  const { clock } = context;
  const at = clock.now();
  return changeAsAdmin(context, by, async (tx, say, admins) => {
    const user = await findExistingUser(tx, userId);
    const held = memberStore.parsePermissions(user.permissions);
    const wanted = choose(held);
    if (by !== null && !wanted.includes("admin")) checkAdminsRemain(admins, userId);
    const given = wanted.filter((one) => !held.includes(one));
    const taken = held.filter((one) => !wanted.includes(one));
    if (given.length + taken.length > 0) {
      await memberStore.updatePermissions(tx, userId, wanted);
      await say.audit("permissions-changed", { given, taken }, userId);
    }
    await say.access({ userId });
    return {
      permissions: wanted,
      revoked: taken.includes("admin") ? await revokeAccessLinks(tx, say, userId, at) : null,
    };
  });
}

export async function setMemberDisabled(
  context: Context,
  by: Member,
  userId: number,
  isDisabled: boolean,
): Promise<{ message: string }> {
  await changeDisabled(context, userId, by.id, isDisabled);
  context.log.info(isDisabled ? "member-disabled" : "member-enabled", { user: userId, by: by.id });
  return { message: isDisabled ? "Account gesperrt." : "Account entsperrt." };
}

/**
 * Disabling ends sessions, API tokens and links and pauses webhooks; returns the numbers of ended links and paused
 * webhooks. Enabling restores none of them and returns `null`.
 */
export async function changeDisabled(
  context: AdminContext,
  userId: number,
  by: Actor,
  isDisabled: boolean,
): Promise<AccessLinks | null> {
  const { clock } = context;
  if (userId === by) throw refuse("cannotDisableYourself");
  const at = clock.now();
  return changeAsAdmin(context, by, async (tx, say, admins) => {
    await memberStore.lockUser(tx, userId);
    const user = await findExistingUser(tx, userId);
    if (isDisabled && by !== null) checkAdminsRemain(admins, userId);
    if ((user.disabled_at !== null) !== isDisabled) {
      await memberStore.updateDisabledAt(tx, userId, isDisabled ? at : null);
      await say.audit(isDisabled ? "member-disabled" : "member-enabled", {}, userId);
      // The ranking gains or loses the member, so pages must discard their stale counts.
      await beerStore.incrementVersion(tx);
      await publishCounterChange(tx, say);
    }
    await say.access({ userId });
    if (!isDisabled) return null;
    await dealDoorsOfLeaver(tx, say, context, userId, at);
    await announceDealings(tx, say, context);
    await endAllSessions(tx, userId, null);
    await tokenStore.deleteTokens(tx, userId);
    const revoked = await revokeAccessLinks(tx, say, userId, at);
    await resetStore.deleteResetTokens(tx, userId);
    return revoked;
  });
}

/**
 * Ends the links that a member created as an administrator, and pauses the member's webhooks. Call this after
 * lockAdmins() in the transaction that removes the permission: creating a link or a webhook takes the same lock.
 */
export async function revokeAccessLinks(tx: Db, say: Say, userId: number, at: number): Promise<AccessLinks> {
  const invitations = await invitationStore.revokeOpenInvitations(tx, at, { created_by: userId });
  const tvLinks = await tvStore.deleteLinksBy(tx, userId);
  const resetLinks = await resetStore.deleteResetTokensBy(tx, userId, at);
  const webhooks = await webhookStore.pauseWebhooks(tx, { created_by: userId }, at);
  for (const invitation of invitations) await say.audit("invitation-revoked", { invitation }, userId);
  for (const { name, scope } of tvLinks)
    await say.audit(scope === "tablet" ? "tablet-revoked" : "tv-link-revoked", { name }, userId);
  for (const memberId of resetLinks) await say.audit("reset-link-revoked", {}, memberId);
  for (const name of webhooks) await say.audit("webhook-paused", { name }, userId);
  return {
    invitations: invitations.length,
    tv_links: tvLinks.length,
    reset_links: resetLinks.length,
    webhooks: webhooks.length,
  };
}

/** Refuses unknown and deleted accounts with 404. */
export async function findExistingUser(tx: Db, userId: number) {
  const user = await memberStore.findUserById(tx, userId);
  if (!user || isDeletedAccount(user)) throw refuse("notFound");
  return user;
}

function checkAdminsRemain(admins: readonly number[], without: number): void {
  if (admins.every((id) => id === without)) throw refuse("lastAdministrator");
}

export async function createAdminResetLink(context: AdminContext, userId: number, by: Actor): Promise<ResetLink> {
  return changeAsAdmin(context, by, async (tx, say) => {
    await findExistingUser(tx, userId);
    const link = await createResetLink(tx, context, userId, { by });
    if (!link) throw refuse("accountDisabled");
    await say.audit("reset-link-made", {}, userId);
    return link;
  });
}

export async function makeResetLink(context: Context, by: Member, userId: number) {
  const { url, expiresAt } = await createAdminResetLink(context, userId, by.id);
  context.log.info("reset-link-made", { user: userId, by: by.id });
  return { url, expires_at: toIso(expiresAt) };
}

export async function countAccessLinks(context: Pick<Context, "db" | "clock">, userId: number): Promise<AccessLinks> {
  const [member] = await listManagedMembers(context, userId);
  return member!.access_links;
}

export async function listManagedMembers(
  { db, clock }: Pick<Context, "db" | "clock">,
  id?: number,
): Promise<ManagedMember[]> {
  return (await store.listMembers(db, clock.now(), id)).map((row) => {
    const seen = Math.max(row.last_login_at ?? 0, row.last_seen_at ?? 0);
    return {
      id: row.id,
      uname: row.uname,
      name: row.name,
      email: row.email,
      permissions: row.permissions,
      disabled: row.disabled_at !== null,
      beers: row.total ?? 0,
      created_at: toIso(row.created_at),
      last_seen_at: seen === 0 ? null : toIso(seen),
      avatarId: row.avatar_id,
      invitation: row.invitation_id === null ? null : { id: row.invitation_id, by: row.invited_by },
      access_links: {
        invitations: row.open_invitations ?? 0,
        tv_links: row.open_tv_links ?? 0,
        reset_links: row.open_reset_links ?? 0,
        webhooks: row.active_webhooks ?? 0,
      },
    };
  });
}
