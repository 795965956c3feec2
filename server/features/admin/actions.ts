import { join } from "node:path";

import type { FastifyRequest } from "fastify";

import { setCalendarPicture as hangPictureEndpoint, setCalendarAudio } from "#contract/admin-calendar.ts";
import type { changeGameServer, ManagedGameServer } from "#contract/admin-game-servers.ts";
import type { AccessLinks, ManagedMember } from "#contract/admin-members.ts";
import type { AuditEntry } from "#contract/admin-audit.ts";
import type { BodyOf, Endpoint, Permission } from "#contract/endpoint.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import {
  encodePicture,
  setPicture,
  InvalidPictureError,
  setAudio,
} from "#server/features/christmas-calendar/actions.ts";
import { isJpegOrPng } from "#server/features/christmas-calendar/rules.ts";
import { endAllSessions } from "#server/features/auth/actions.ts";
import { toServerState } from "#server/features/game-servers/rules.ts";
import { savedState, listGameServers } from "#server/features/game-servers/store.ts";
import { revokeInvitationsBy } from "#server/features/invitations/store.ts";
import { lockAdminsFor } from "#server/features/members/actions.ts";
import { isDeletedAccount } from "#server/features/members/rules.ts";
import { findUserById, lockUser, updateDisabledAt, updatePermissions } from "#server/features/members/store.ts";
import { createResetLink, type ResetLink } from "#server/features/password-reset/actions.ts";
import { deleteResetTokens, deleteResetTokensBy } from "#server/features/password-reset/store.ts";
import { deleteLinksBy } from "#server/features/tv/store.ts";
import { type Actor, createAuditEntry } from "#server/platform/audit/store.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import { receiveUpload } from "#server/platform/http/upload.ts";
import type { Context } from "#server/platform/context.ts";
import { createSemaphore } from "#server/platform/semaphore.ts";
import { formatAuditText } from "./rules.ts";
import { listAudit, listMembers } from "./store.ts";

/** What the command line has too. Whoever calls from a page tells the open sockets afterwards. */
type AdminContext = Pick<Context, "db" | "config" | "clock">;

/**
 * Gives and takes permissions. From a page somebody has to keep the Verwaltung; on the command line, whoever has the machine
 * can always give it back. `revoked` is what ended with the loss of `admin`, null where it was not lost.
 */
export async function changePermissions(
  { db, clock }: AdminContext,
  userId: number,
  by: Actor,
  change: (held: readonly Permission[]) => Permission[],
): Promise<{ permissions: Permission[]; revoked: AccessLinks | null }> {
  const at = clock.now();
  return inTransaction(db, async (tx) => {
    const admins = await lockAdminsFor(tx, by);
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

/**
 * Locks a member out, with all sessions and links gone, or lets him or her in again, which brings none of them back.
 * Resolves to what ended of the links that the member made, null where the member is let in.
 */
export async function changeDisabled(
  { db, clock }: AdminContext,
  userId: number,
  by: Actor,
  isDisabled: boolean,
): Promise<AccessLinks | null> {
  if (userId === by) throw refuse("M422self");
  const at = clock.now();
  return inTransaction(db, async (tx) => {
    const admins = await lockAdminsFor(tx, by);
    await lockUser(tx, userId);
    const user = await findExistingUser(tx, userId);
    if (isDisabled && by !== null) checkAdminsRemain(admins, userId);
    if ((user.disabled_at !== null) !== isDisabled) {
      await updateDisabledAt(tx, userId, isDisabled ? at : null);
      await createAuditEntry(tx, isDisabled ? "member-disabled" : "member-enabled", {}, { at, by, memberId: userId });
    }
    if (!isDisabled) return null;
    await endAllSessions(tx, userId, null);
    const revoked = await revokeAccessLinks(tx, userId, at, by);
    await deleteResetTokens(tx, userId);
    return revoked;
  });
}

/**
 * Ends what a member opened as an administrator: invitations, TV links, and reset links for others. Belongs into the
 * transaction that takes the Verwaltung from the member, after lockAdmins(), which whoever makes such a link calls too.
 */
export async function revokeAccessLinks(tx: Db, userId: number, at: number, by: Actor): Promise<AccessLinks> {
  const invitations = await revokeInvitationsBy(tx, userId, at);
  const tvLinks = await deleteLinksBy(tx, userId);
  const resetLinks = await deleteResetTokensBy(tx, userId, at);
  const change = { at, by, memberId: userId };
  for (const invitation of invitations) await createAuditEntry(tx, "invitation-revoked", { invitation }, change);
  for (const name of tvLinks) await createAuditEntry(tx, "tv-link-revoked", { name }, change);
  for (const memberId of resetLinks) await createAuditEntry(tx, "reset-link-revoked", {}, { at, by, memberId });
  return { invitations: invitations.length, tv_links: tvLinks.length, reset_links: resetLinks.length };
}

async function findExistingUser(tx: Db, userId: number) {
  const user = await findUserById(tx, userId);
  if (!user || isDeletedAccount(user)) throw refuse("M404");
  return user;
}

function checkAdminsRemain(admins: readonly number[], without: number): void {
  if (admins.every((id) => id === without)) throw refuse("M422admin");
}

/** A link to hand over, for whoever cannot read the mails of this house. */
export async function createHandedOverLink(context: AdminContext, userId: number, by: Actor): Promise<ResetLink> {
  return inTransaction(context.db, async (tx) => {
    await lockAdminsFor(tx, by);
    await findExistingUser(tx, userId);
    const link = await createResetLink(tx, context, userId, { by });
    if (!link) throw refuse("M422disabled");
    await createAuditEntry(tx, "reset-link-made", {}, { at: context.clock.now(), by, memberId: userId });
    return link;
  });
}

/** Decoding a photograph takes a second and up to 200 MB. */
const withPermit = createSemaphore(1);
const maxWaiting = 100;

/** Hangs an uploaded picture behind a door and returns its id. */
export async function uploadCalendarPicture(context: Context, request: FastifyRequest, date: string, by: Actor) {
  return withUpload(context, request, hangPictureEndpoint, async (readFile) => {
    const picture = await withPermit(maxWaiting, async () => {
      const bytes = await readFile();
      if (!isJpegOrPng(bytes)) throw refuseField("picture", "V-mime");
      return encodePicture(bytes).catch((error: unknown) => {
        if (!(error instanceof InvalidPictureError)) throw error;
        throw refuseField("picture", error.isTooLarge ? "V-dim" : "V-img");
      });
    });
    return setPicture(context.db, date, picture, { by, at: context.clock.now() });
  });
}

/** Plays an uploaded file on the calendar page. */
export async function uploadCalendarAudio(context: Context, request: FastifyRequest, by: Actor): Promise<void> {
  await withUpload(context, request, setCalendarAudio, async (readFile) =>
    setAudio(context.db, await readFile(), { by, at: context.clock.now() }),
  );
}

async function withUpload<Result>(
  { config }: Context,
  request: FastifyRequest,
  endpoint: Endpoint,
  take: (readFile: () => Promise<Buffer>) => Promise<Result>,
): Promise<Result> {
  const upload = await receiveUpload(request, endpoint, join(config.dataDir, "uploads"));
  try {
    return await take(upload.readFile);
  } finally {
    await upload.close();
  }
}

export async function listManagedMembers({ db, clock }: Pick<Context, "db" | "clock">): Promise<ManagedMember[]> {
  return (await listMembers(db, clock.now())).map((row) => {
    const { id, uname, name, email, permissions, last_login_at, last_seen_at, invitation_id } = row;
    const seen = Math.max(last_login_at ?? 0, last_seen_at ?? 0);
    return {
      ...{ id, uname, name, email, permissions },
      disabled: row.disabled_at !== null,
      beers: row.total ?? 0,
      created_at: new Date(row.created_at).toISOString(),
      last_seen_at: seen === 0 ? null : new Date(seen).toISOString(),
      avatarId: row.avatar_id,
      invitation: invitation_id === null ? null : { id: invitation_id, by: row.invited_by },
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
  const rows = await listAudit(db, before, size + 1);
  const entries = rows.slice(0, size).map(({ id, at, via, action, details, ...row }) => ({
    ...{ id, via, action },
    at: new Date(at).toISOString(),
    text: formatAuditText(action, details),
    actor: row.actor_id === null ? null : toPerson(row.actor_id, row.actor_name, row.actor_avatar),
    member: row.member_id === null ? null : toPerson(row.member_id, row.member_name, row.member_avatar),
  }));
  return { entries, has_more: rows.length > size };
}

function toPerson(id: number, name: string | null, avatarId: string | null) {
  return { id, name: name ?? "", avatarId };
}

/** Game servers as administrators see them. What starts a program may hold its passwords, so only names are shown. */
export async function listManagedGameServers({ db }: Pick<Context, "db">): Promise<ManagedGameServer[]> {
  return (await listGameServers(db)).map((row) => {
    const { id, display_name, address } = row;
    const driver = row.driver as ManagedGameServer["driver"];
    return {
      ...{ id, display_name, driver, address },
      ref: driver === "docker" || driver === "unit" ? row.ref : null,
      query: row.query as ManagedGameServer["query"],
      grace: row.grace_seconds,
      idle_stop: row.idle_stop_minutes,
      state: toServerState(savedState(row)),
    };
  });
}

type GameServerForm = BodyOf<typeof changeGameServer>;

/** What the form says, in the words of the game servers' room. */
export function parseGameServerForm({ display_name, address, query, grace, idle_stop }: GameServerForm) {
  if (query !== "none" && address === null) throw refuseField("address", "V-req");
  if (idle_stop !== null && query === "none") throw refuseField("query", "V-req");
  return { display_name, address, query, grace_seconds: grace, idle_stop_minutes: idle_stop };
}
