import { join } from "node:path";

import type { FastifyRequest } from "fastify";

import { hangPicture as hangPictureEndpoint, setCalendarAudio } from "#contract/admin-calendar.ts";
import type { changeGameServer, ManagedGameServer } from "#contract/admin-game-servers.ts";
import type { AccessLinks, ManagedMember } from "#contract/admin-members.ts";
import type { AuditEntry } from "#contract/admin-audit.ts";
import type { BodyOf, Endpoint, Permission } from "#contract/endpoint.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { encodePicture, hangPicture, NotAPictureError, setAudio } from "#server/features/christmas-calendar/actions.ts";
import { isJpegOrPng } from "#server/features/christmas-calendar/rules.ts";
import { endBrowsers } from "#server/features/auth/actions.ts";
import { toState } from "#server/features/game-servers/rules.ts";
import { knownOf, listRows } from "#server/features/game-servers/store.ts";
import { markRevokedBy } from "#server/features/invitations/store.ts";
import { lockAdminsFor } from "#server/features/members/actions.ts";
import { hasLeft } from "#server/features/members/rules.ts";
import { findUserById, lockUser, setDisabled, setPermissions } from "#server/features/members/store.ts";
import { createResetLink, type ResetLink } from "#server/features/password-reset/actions.ts";
import { deleteResetTokens, deleteResetTokensBy } from "#server/features/password-reset/store.ts";
import { deleteLinksBy } from "#server/features/tv/store.ts";
import { type Actor, recordAction } from "#server/platform/audit/store.ts";
import { refuse, refuseField } from "#server/platform/http/refuse.ts";
import { receiveUpload } from "#server/platform/http/upload.ts";
import type { Platform } from "#server/platform/platform.ts";
import { openTurns } from "#server/platform/turns.ts";
import { describe } from "./rules.ts";
import { listAudit, listMembers } from "./store.ts";

/** What the command line has too. Whoever calls from a page tells the open sockets afterwards. */
type Ground = Pick<Platform, "db" | "config" | "clock">;

/**
 * Gives and takes permissions. From a page somebody has to keep the Verwaltung; on the command line, whoever has the machine
 * can always give it back. `revoked` is what ended with the loss of `admin`, null where it was not lost.
 */
export async function changePermissions(
  { db, clock }: Ground,
  userId: number,
  by: Actor,
  change: (held: readonly Permission[]) => Permission[],
): Promise<{ permissions: Permission[]; revoked: AccessLinks | null }> {
  const at = clock.now();
  return inTransaction(db, async (tx) => {
    const admins = await lockAdminsFor(tx, by);
    const user = await findAccount(tx, userId);
    const held = JSON.parse(user.permissions) as Permission[];
    const wanted = change(held);
    if (by !== null && !wanted.includes("admin")) checkAdminsRemain(admins, userId);
    const given = wanted.filter((one) => !held.includes(one));
    const taken = held.filter((one) => !wanted.includes(one));
    if (given.length + taken.length > 0) {
      await setPermissions(tx, userId, wanted);
      await recordAction(tx, "permissions-changed", { given, taken }, { at, by, memberId: userId });
    }
    return { permissions: wanted, revoked: taken.includes("admin") ? await revokeLinksOf(tx, userId, at, by) : null };
  });
}

/**
 * Locks a member out, with all sessions and links gone, or lets him or her in again, which brings none of them back.
 * Resolves to what ended of the links that the member made, null where the member is let in.
 */
export async function changeDisabled(
  { db, clock }: Ground,
  userId: number,
  by: Actor,
  isDisabled: boolean,
): Promise<AccessLinks | null> {
  if (userId === by) throw refuse("M422self");
  const at = clock.now();
  return inTransaction(db, async (tx) => {
    const admins = await lockAdminsFor(tx, by);
    await lockUser(tx, userId);
    const user = await findAccount(tx, userId);
    if (isDisabled && by !== null) checkAdminsRemain(admins, userId);
    if ((user.disabled_at !== null) !== isDisabled) {
      await setDisabled(tx, userId, isDisabled ? at : null);
      await recordAction(tx, isDisabled ? "member-disabled" : "member-enabled", {}, { at, by, memberId: userId });
    }
    if (!isDisabled) return null;
    await endBrowsers(tx, userId, null);
    const revoked = await revokeLinksOf(tx, userId, at, by);
    await deleteResetTokens(tx, userId);
    return revoked;
  });
}

/**
 * Ends what a member opened as an administrator: invitations, TV links, and reset links for others. Belongs into the
 * transaction that takes the Verwaltung from the member, after lockAdmins(), which whoever makes such a link calls too.
 */
export async function revokeLinksOf(tx: Db, userId: number, at: number, by: Actor): Promise<AccessLinks> {
  const invitations = await markRevokedBy(tx, userId, at);
  const tvLinks = await deleteLinksBy(tx, userId);
  const resetLinks = await deleteResetTokensBy(tx, userId, at);
  const change = { at, by, memberId: userId };
  for (const invitation of invitations) await recordAction(tx, "invitation-revoked", { invitation }, change);
  for (const name of tvLinks) await recordAction(tx, "tv-link-revoked", { name }, change);
  for (const memberId of resetLinks) await recordAction(tx, "reset-link-revoked", {}, { at, by, memberId });
  return { invitations: invitations.length, tv_links: tvLinks.length, reset_links: resetLinks.length };
}

async function findAccount(tx: Db, userId: number) {
  const user = await findUserById(tx, userId);
  if (!user || hasLeft(user)) throw refuse("M404");
  return user;
}

function checkAdminsRemain(admins: readonly number[], without: number): void {
  if (admins.every((id) => id === without)) throw refuse("M422admin");
}

/** A link to hand over, for whoever cannot read the mails of this house. */
export async function makeResetLink(ground: Ground, userId: number, by: Actor): Promise<ResetLink> {
  return inTransaction(ground.db, async (tx) => {
    await lockAdminsFor(tx, by);
    await findAccount(tx, userId);
    const link = await createResetLink(tx, ground, userId, { by });
    if (!link) throw refuse("M422disabled");
    await recordAction(tx, "reset-link-made", {}, { at: ground.clock.now(), by, memberId: userId });
    return link;
  });
}

/** Decoding a photograph takes a second and up to 200 MB. */
const inTurn = openTurns(1);
const mostWaiting = 100;

/** Hangs an uploaded picture behind a door and returns its id. */
export async function receivePicture(platform: Platform, request: FastifyRequest, date: string, by: Actor) {
  return receiveFile(platform, request, hangPictureEndpoint, async (readFile) => {
    const picture = await inTurn(mostWaiting, async () => {
      const bytes = await readFile();
      if (!isJpegOrPng(bytes)) throw refuseField("picture", "V-mime");
      return encodePicture(bytes).catch((error: unknown) => {
        if (!(error instanceof NotAPictureError)) throw error;
        throw refuseField("picture", error.isTooLarge ? "V-dim" : "V-img");
      });
    });
    return hangPicture(platform.db, date, picture, { by, at: platform.clock.now() });
  });
}

/** Plays an uploaded file on the calendar page. */
export async function receiveAudio(platform: Platform, request: FastifyRequest, by: Actor): Promise<void> {
  await receiveFile(platform, request, setCalendarAudio, async (readFile) => {
    const isMusic = await setAudio(platform.db, await readFile(), { by, at: platform.clock.now() });
    if (!isMusic) throw refuseField("audio", "V-sound");
  });
}

async function receiveFile<Result>(
  { config }: Platform,
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

export async function lookAtMembers({ db, clock }: Pick<Platform, "db" | "clock">): Promise<ManagedMember[]> {
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
export async function lookAtAudit(
  { db }: Pick<Platform, "db">,
  before: number,
  size: number,
): Promise<{ entries: AuditEntry[]; has_more: boolean }> {
  const rows = await listAudit(db, before, size + 1);
  const entries = rows.slice(0, size).map(({ id, at, via, action, details, ...row }) => ({
    ...{ id, via, action },
    at: new Date(at).toISOString(),
    text: describe(action, details),
    actor: row.actor_id === null ? null : personOf(row.actor_id, row.actor_name, row.actor_avatar),
    member: row.member_id === null ? null : personOf(row.member_id, row.member_name, row.member_avatar),
  }));
  return { entries, has_more: rows.length > size };
}

function personOf(id: number, name: string | null, avatarId: string | null) {
  return { id, name: name ?? "", avatarId };
}

/** Game servers as administrators see them. What starts a program may hold its passwords, so only names are shown. */
export async function lookAtGameServers({ db }: Pick<Platform, "db">): Promise<ManagedGameServer[]> {
  return (await listRows(db)).map((row) => {
    const { id, display_name, address } = row;
    const driver = row.driver as ManagedGameServer["driver"];
    return {
      ...{ id, display_name, driver, address },
      ref: driver === "docker" || driver === "unit" ? row.ref : null,
      query: row.query as ManagedGameServer["query"],
      grace: row.grace_seconds,
      idle_stop: row.idle_stop_minutes,
      state: toState(knownOf(row)),
    };
  });
}

type GameServerForm = BodyOf<typeof changeGameServer>;

/** What the form says, in the words of the game servers' room. */
export function readGameServer({ display_name, address, query, grace, idle_stop }: GameServerForm) {
  if (query !== "none" && address === null) throw refuseField("address", "V-req");
  if (idle_stop !== null && query === "none") throw refuseField("query", "V-req");
  return { display_name, address, query, grace_seconds: grace, idle_stop_minutes: idle_stop };
}
