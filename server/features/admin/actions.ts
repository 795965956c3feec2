import type { FastifyRequest } from "fastify";

import type { AuditEntry } from "#contract/admin-audit.ts";
import { setCalendarAudio, setCalendarPicture } from "#contract/admin-calendar.ts";
import type * as contract from "#contract/admin-game-servers.ts";
import { type makeInvitation, maxUsesWithoutPassword } from "#contract/admin-invitations.ts";
import type { AccessLinks, ManagedMember } from "#contract/admin-members.ts";
import { type BodyOf, type Permission, permissions } from "#contract/endpoint.ts";
import { gameServersUpdated } from "#contract/game-servers.ts";
import type { Db } from "#server/db/connect.ts";
import { endAllSessions } from "#server/features/auth/actions.ts";
import { publishCounterChange } from "#server/features/beercounter/actions.ts";
import { incrementVersion } from "#server/features/beercounter/store.ts";
import { type Change, receivePicture, setAudio, setPicture } from "#server/features/christmas-calendar/actions.ts";
import { previewUrl } from "#server/features/christmas-calendar/rules.ts";
import {
  addGameServer,
  inspectServer,
  orderGameServers,
  removeGameServer,
  updateGameServer,
} from "#server/features/game-servers/actions.ts";
import { toServerState } from "#server/features/game-servers/rules.ts";
import { findGameServer, isActive, listGameServers, savedState } from "#server/features/game-servers/store.ts";
import { createInvitation } from "#server/features/invitations/actions.ts";
import { revokeOpenInvitations } from "#server/features/invitations/store.ts";
import { inAdminChange } from "#server/features/members/actions.ts";
import { isDeletedAccount } from "#server/features/members/rules.ts";
import { findUserById, lockUser, updateDisabledAt, updatePermissions } from "#server/features/members/store.ts";
import { createResetLink, type ResetLink } from "#server/features/password-reset/actions.ts";
import { deleteResetTokens, deleteResetTokensBy } from "#server/features/password-reset/store.ts";
import { deleteLinksBy } from "#server/features/tv/store.ts";
import { type Actor, createAuditEntry } from "#server/platform/audit/store.ts";
import type { Context } from "#server/platform/context.ts";
import { checkRecentPassword, type Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import { withUpload } from "#server/platform/http/upload.ts";
import { toIso } from "#server/time.ts";
import { formatAuditText, formatConnectionTest } from "./rules.ts";
import * as store from "./store.ts";

/** What commands have, too. The actions for pages below also close the sockets of members who lost access. */
type AdminContext = Pick<Context, "db" | "config" | "clock">;

export async function setMemberPermissions(
  context: Context,
  by: Member,
  userId: number,
  wanted: readonly Permission[],
): Promise<void> {
  await changePermissions(context, userId, by.id, () => permissions.filter((one) => wanted.includes(one)));
  await context.realtime.accessChanged({ userId });
  context.log.info("permissions-changed", { user: userId, by: by.id });
}

/**
 * Grants and revokes permissions. From a page at least one administrator must remain; the command line can always appoint another
 * one. `revoked` counts the links that ended with the loss of `admin`, null where it was not lost.
 */
export async function changePermissions(
  { db, clock }: AdminContext,
  userId: number,
  by: Actor,
  change: (held: readonly Permission[]) => Permission[],
): Promise<{ permissions: Permission[]; revoked: AccessLinks | null }> {
  const at = clock.now();
  return inAdminChange(db, by, async (tx, admins) => {
    const user = await findExistingUser(tx, userId);
    const held = JSON.parse(user.permissions) as Permission[];
    const wanted = change(held);
    if (by !== null && !wanted.includes("admin")) checkAdminsRemain(admins, userId);
    const given = wanted.filter((one) => !held.includes(one));
    const taken = held.filter((one) => !wanted.includes(one));
    if (given.length + taken.length > 0) {
      await updatePermissions(tx, userId, wanted);
      await createAuditEntry(tx, "permissions-changed", { given, taken }, { at, by, memberId: userId });
    }
    return {
      permissions: wanted,
      revoked: taken.includes("admin") ? await revokeAccessLinks(tx, userId, at, by) : null,
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
  await context.realtime.accessChanged({ userId });
  await publishCounterChange(context);
  context.log.info(isDisabled ? "member-disabled" : "member-enabled", { user: userId, by: by.id });
  return { message: isDisabled ? "Account gesperrt." : "Account entsperrt." };
}

/**
 * Disables an account, which ends all its sessions and links, or enables it again, which restores none of them. Resolves to the
 * links of the member that ended, null where the account is enabled.
 */
export async function changeDisabled(
  { db, clock }: AdminContext,
  userId: number,
  by: Actor,
  isDisabled: boolean,
): Promise<AccessLinks | null> {
  if (userId === by) throw refuse("M422self");
  const at = clock.now();
  return inAdminChange(db, by, async (tx, admins) => {
    await lockUser(tx, userId);
    const user = await findExistingUser(tx, userId);
    if (isDisabled && by !== null) checkAdminsRemain(admins, userId);
    if ((user.disabled_at !== null) !== isDisabled) {
      await updateDisabledAt(tx, userId, isDisabled ? at : null);
      await createAuditEntry(tx, isDisabled ? "member-disabled" : "member-enabled", {}, { at, by, memberId: userId });
      // The ranking has another bar.
      await incrementVersion(tx);
    }
    if (!isDisabled) return null;
    await endAllSessions(tx, userId, null);
    const revoked = await revokeAccessLinks(tx, userId, at, by);
    await deleteResetTokens(tx, userId);
    return revoked;
  });
}

/**
 * Ends the invitations, TV links and reset links that a member made as an administrator. Call it in the transaction that takes
 * the permission away, after lockAdmins(): everything that makes such a link locks the administrators, too.
 */
export async function revokeAccessLinks(tx: Db, userId: number, at: number, by: Actor): Promise<AccessLinks> {
  const invitations = await revokeOpenInvitations(tx, at, { created_by: userId });
  const tvLinks = await deleteLinksBy(tx, userId);
  const resetLinks = await deleteResetTokensBy(tx, userId, at);
  const change = { at, by, memberId: userId };
  for (const invitation of invitations) await createAuditEntry(tx, "invitation-revoked", { invitation }, change);
  for (const name of tvLinks) await createAuditEntry(tx, "tv-link-revoked", { name }, change);
  for (const memberId of resetLinks) await createAuditEntry(tx, "reset-link-revoked", {}, { at, by, memberId });
  return { invitations: invitations.length, tv_links: tvLinks.length, reset_links: resetLinks.length };
}

/** The row of a member; 404 for unknown and deleted accounts. */
export async function findExistingUser(tx: Db, userId: number) {
  const user = await findUserById(tx, userId);
  if (!user || isDeletedAccount(user)) throw refuse("M404");
  return user;
}

function checkAdminsRemain(admins: readonly number[], without: number): void {
  if (admins.every((id) => id === without)) throw refuse("M422admin");
}

/** A reset link that an administrator or the command line hands over, for members who do not receive mails. */
export async function createHandedOverLink(context: AdminContext, userId: number, by: Actor): Promise<ResetLink> {
  return inAdminChange(context.db, by, async (tx) => {
    await findExistingUser(tx, userId);
    const link = await createResetLink(tx, context, userId, { by });
    if (!link) throw refuse("M422disabled");
    await createAuditEntry(tx, "reset-link-made", {}, { at: context.clock.now(), by, memberId: userId });
    return link;
  });
}

export async function makeResetLink(context: Context, by: Member, userId: number) {
  const { url, expiresAt } = await createHandedOverLink(context, userId, by.id);
  context.log.info("reset-link-made", { user: userId, by: by.id });
  return { url, expires_at: toIso(expiresAt) };
}

/** Makes an invitation, on behalf of an administrator. One that carries permissions or is for many needs a recent password. */
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

export async function uploadCalendarPicture(context: Context, request: FastifyRequest, date: string, change: Change) {
  const id = await setPicture(context.db, date, await receivePicture(context, request, setCalendarPicture), change);
  return { date, preview: previewUrl(id) };
}

export async function uploadCalendarAudio(context: Context, request: FastifyRequest, change: Change): Promise<void> {
  await withUpload(context, request, setCalendarAudio, async (readForm) =>
    setAudio(context.db, (await readForm()).file, change),
  );
}

/** How many of the links that a member made as an administrator are still valid. */
export async function countAccessLinks(context: Pick<Context, "db" | "clock">, userId: number): Promise<AccessLinks> {
  const [member] = await listManagedMembers(context, userId);
  return member!.access_links;
}

/** With `id` that member alone. */
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
      },
    };
  });
}

/** One page of the audit list, the newest first, from below the id `before`. */
export async function listAuditEntries(
  { db }: Pick<Context, "db">,
  before: number,
  size: number,
): Promise<{ entries: AuditEntry[]; has_more: boolean }> {
  const rows = await store.listAudit(db, before, size + 1);
  const entries = rows.slice(0, size).map((row) => ({
    id: row.id,
    via: row.via,
    action: row.action,
    at: toIso(row.at),
    text: formatAuditText(row.action, row.details),
    actor: row.actor_id === null ? null : toPerson(row.actor_id, row.actor_name, row.actor_avatar),
    member: row.member_id === null ? null : toPerson(row.member_id, row.member_name, row.member_avatar),
  }));
  return { entries, has_more: rows.length > size };
}

function toPerson(id: number, name: string | null, avatarId: string | null) {
  return { id, name: name ?? "", avatarId };
}

/** Game servers as administrators see them. The command line of a program may contain passwords, so it is not shown. */
export async function listManagedGameServers({ db }: Pick<Context, "db">): Promise<contract.ManagedGameServer[]> {
  return (await listGameServers(db)).map((row) => {
    const driver = row.driver as contract.ManagedGameServer["driver"];
    return {
      id: row.id,
      display_name: row.display_name,
      driver,
      address: row.address,
      ref: driver === "docker" || driver === "unit" ? row.ref : null,
      query: row.query as contract.ManagedGameServer["query"],
      grace: row.grace_seconds,
      idle_stop: row.idle_stop_minutes,
      state: toServerState(savedState(row)),
      is_active: isActive(row),
    };
  });
}

export async function addContainer(context: Context, by: Member, form: BodyOf<typeof contract.addGameServer>) {
  const setup = { ...toSettings(form), driver: "docker", ref: form.ref } as const;
  const id = await addGameServer(context, setup, by.id);
  publishServerChange(context, 0);
  return { message: `${form.display_name} ist angelegt.`, id };
}

/** Changes everything of a game server but what it starts. */
export async function updateServer(context: Context, by: Member, id: number, form: GameServerForm) {
  await updateGameServer(context, id, toSettings(form), by.id);
  publishServerChange(context, id);
  return { message: `${form.display_name} ist gespeichert.` };
}

export async function reorderServers(context: Context, by: Member, ids: readonly number[]): Promise<void> {
  await orderGameServers(context, ids, by.id);
  publishServerChange(context, 0);
}

export async function removeServer(context: Context, by: Member, id: number): Promise<void> {
  await removeGameServer(context, id, by.id);
  publishServerChange(context, 0);
}

export async function testConnection(context: Context, id: number): Promise<{ ok: boolean; message: string }> {
  const row = await findGameServer(context.db, id);
  if (!row) throw refuse("M404");
  const inspection = await inspectServer(context, row);
  return { ok: inspection.kind === "found", message: formatConnectionTest(inspection) };
}

/** Open pages load one server again, or with 0 the list. */
function publishServerChange({ realtime }: Context, serverId: number): void {
  const change = { userId: null, serverId, message: "", userName: null, avatarId: null, is_failure: false };
  realtime.publish(gameServersUpdated.name, gameServersUpdated.channel, change);
}

type GameServerForm = BodyOf<typeof contract.changeGameServer>;

function toSettings({ display_name, address, query, grace, idle_stop }: GameServerForm) {
  if (query !== "none" && address === null) throw refuseField("address", "V-req");
  if (idle_stop !== null && query === "none") throw refuseField("query", "V-req");
  return { display_name, address, query, grace_seconds: grace, idle_stop_minutes: idle_stop };
}
