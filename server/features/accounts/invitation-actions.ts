import { type BodyOf, type Permission, permissions } from "#contract/endpoint.ts";
import type { FieldProblem, FieldProblems } from "#contract/errors.ts";
import { type Invitation, invitationDays, type makeInvitation, maxUsesWithoutPassword } from "#contract/invitations.ts";
import type * as contract from "#contract/registration.ts";
import type { Config } from "#server/config.ts";
import { type Db, findViolatedConstraint } from "#server/db/connect.ts";
import { publishCounterChange } from "#server/features/beers/actions.ts";
import * as beerStore from "#server/features/beers/store.ts";
import { checkNewPassword, checkNotTaken, changeAsAdmin, toTakenRefusal } from "#server/features/members/actions.ts";
import * as memberStore from "#server/features/members/store.ts";
import { turnIntoMember } from "#server/features/parties/guest-device-actions.ts";
import { findGuestByToken } from "#server/features/parties/guest-store.ts";
import type { Actor } from "#server/platform/audit/store.ts";
import * as auditStore from "#server/platform/audit/store.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import { checkRecentPassword, type Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import { hashPassword } from "#server/platform/security/passwords.ts";
import { days, toIso } from "#server/time.ts";
import { createFirstToken, createInvitationToken, hashToken, toInvitationState } from "./invitation-rules.ts";
import * as store from "./invitation-store.ts";
import { checkPasswordLogin } from "./login-actions.ts";

type InvitationContext = Pick<Context, "db" | "say" | "config" | "clock">;

export async function findInviter({ db, clock }: Pick<Context, "db" | "clock">, token: string) {
  const found = await store.findOpenInvitation(db, hashToken(token), clock.now());
  if (!found) return { invitation: null };
  const guest = await findGuestByToken(db, hashToken(token));
  return { invitation: { ...found, guest_name: guest?.requested_name ?? null } };
}

/** Returns the problems that the schema cannot find. Only holders of a valid invitation learn which names are taken. */
export async function checkRegistration(
  context: Context,
  form: Partial<BodyOf<typeof contract.register>>,
): Promise<FieldProblems> {
  const { db, config, clock } = context;
  checkPasswordLogin(config);
  const { token, uname = "", name = "", email = "", password, password_confirmation = "" } = form;
  const problems: Record<string, readonly FieldProblem[]> = {};
  if (token !== undefined) {
    if (await store.isInvitationUsable(db, hashToken(token), clock.now()))
      for (const field of await memberStore.listTakenFields(db, { uname, email }, 0))
        problems[field] = [{ text: "taken" }];
    else problems["token"] = [{ text: "invalidInvitation" }];
  }
  if (password !== undefined) {
    const found = await checkNewPassword(context, { password, password_confirmation }, { uname, name, email });
    if (found.length > 0) problems["password"] = found;
  }
  return problems;
}

/** Uses the invitation in the same transaction, so that a refusal does not use it up. */
export async function register(context: Context, form: BodyOf<typeof contract.register>): Promise<{ is_host?: true }> {
  const { db, log, hashCost } = context;
  const password_hash = await hashPassword(form.password, hashCost);
  const id = await change(context, null, async (tx, say) => {
    const userId = await createInvitedMember(tx, context, hashToken(form.token), { ...form, password_hash });
    await publishCounterChange(tx, say);
    return userId;
  }).catch((error: unknown) => {
    throw toTakenRefusal(error);
  });
  log.info("registered", { user: id });
  const isHost = (await memberStore.countUsers(db)) === 1 && (await memberStore.listAdminIds(db)).includes(id);
  return isHost ? { is_host: true } : {};
}

/** Returns the new member's id. The caller must publish the changed ranking. */
export async function createInvitedMember(
  tx: Db,
  { clock, config }: Pick<Context, "clock" | "config">,
  tokenHash: string,
  { uname, name, email, password_hash }: { uname: string; name: string; email: string; password_hash: string },
): Promise<number> {
  const now = clock.now();
  // Locks the counts before the invitation, like the removal of an administrator, to avoid a deadlock.
  await beerStore.incrementVersion(tx);
  const claimed = await store.claimInvitation(tx, tokenHash, now);
  if (!claimed) throw refuseField("token", "invalidInvitation");
  await checkNotTaken(tx, { uname, email });
  const { id: invitation, permissions: granted } = claimed;
  const row = { uname, name, email, password_hash, permissions: granted, invitation_id: invitation, created_at: now };
  const userId = await memberStore.insertUser(tx, row);
  await auditStore.createAuditEntry(tx, "invitation-used", { invitation }, { at: now, by: userId, memberId: userId });
  await store.revokeOpenInvitations(tx, now, { is_first: 1 });
  await turnIntoMember(tx, tokenHash, userId, config.timeZone);
  return userId;
}

/** Stores only a hash of the token. */
export async function createInvitation(
  context: InvitationContext,
  {
    permissions: granted,
    days: validDays,
    uses,
    createdBy,
  }: { permissions: readonly Permission[]; days: number; uses: number; createdBy: Actor },
  firstToken?: string,
) {
  const { config, clock } = context;
  const token = firstToken ?? createInvitationToken();
  const now = clock.now();
  const expiresAt = now + days(validDays);
  const id = await changeAsAdmin(context, createdBy, async (tx, say) => {
    const invitation = await store.insertInvitation(tx, {
      token_hash: hashToken(token),
      permissions: granted,
      created_by: createdBy,
      created_at: now,
      expires_at: expiresAt,
      uses_left: uses,
      is_first: firstToken === undefined ? 0 : 1,
    });
    await say.audit("invitation-made", { invitation, permissions: granted, days: validDays, uses });
    return invitation;
  });
  return { id, token, url: toLink(config, token), expiresAt };
}

/** Puts the token in the fragment, which browsers do not send to the server. */
function toLink({ appUrl }: Config, token: string): string {
  return new URL(`/register#token=${token}`, appUrl).href;
}

/**
 * Returns the first administrator's link, the same on all instances and after every restart, and renews its expiry.
 * Revokes a link printed with another app key.
 */
export async function openFirstInvitation(context: InvitationContext & Pick<Context, "secrets">): Promise<string> {
  const { db, config, clock, secrets } = context;
  const token = createFirstToken(secrets.appKey);
  const terms = { permissions, days: invitationDays.usual, uses: 1, createdBy: null };
  await store.revokeOpenInvitations(db, clock.now(), { is_first: 1 }, hashToken(token));
  if (!(await store.extendInvitation(db, hashToken(token), clock.now() + days(terms.days)))) {
    await createInvitation(context, terms, token).catch((error: unknown) => {
      // Another instance has created the same invitation concurrently.
      if (findViolatedConstraint(error) === null) throw error;
    });
  }
  return toLink(config, token);
}

export async function revokeInvitation(
  context: Pick<Context, "db" | "clock" | "log" | "say">,
  id: number,
  by: number,
): Promise<void> {
  const { clock, log } = context;
  const at = clock.now();
  await changeAsAdmin(context, by, async (tx, say) => {
    if (await store.updateRevokedAt(tx, id, at)) await say.audit("invitation-revoked", { invitation: id });
    else if (!(await store.hasInvitation(tx, id))) throw refuse("notFound");
  });
  log.info("invitation-revoked", { by });
}

export async function listManagedInvitations(
  { db, clock }: Pick<Context, "db" | "clock">,
  before: number,
  size: number,
): Promise<{ invitations: Invitation[]; has_more: boolean }> {
  const rows = await store.listInvitations(db, before, size + 1);
  const invitations = rows.slice(0, size).map(({ members, created_at, expires_at, revoked_at, ...row }) => ({
    ...row,
    created_at: toIso(created_at),
    expires_at: toIso(expires_at),
    state: toInvitationState({ ...row, expires_at, revoked_at }, clock.now()),
    members,
  }));
  return { invitations, has_more: rows.length > size };
}

/** Requires a recently confirmed password for permissions or many uses. */
export async function inviteAsAdmin(context: Context, by: Member, form: BodyOf<typeof makeInvitation>) {
  if (form.permissions.length > 0 || form.uses > maxUsesWithoutPassword) checkRecentPassword(by, context.clock.now());
  const { id, token, url, expiresAt } = await createInvitation(context, {
    ...form,
    permissions: permissions.filter((one) => form.permissions.includes(one)),
    createdBy: by.id,
  });
  context.log.info("invitation-made", { by: by.id });
  return { id, token, url, expires_at: toIso(expiresAt) };
}
