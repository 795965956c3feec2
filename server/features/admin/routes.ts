import * as audit from "#contract/admin-audit.ts";
import * as calendar from "#contract/admin-calendar.ts";
import * as gameServers from "#contract/admin-game-servers.ts";
import * as group from "#contract/admin-group.ts";
import * as invitations from "#contract/admin-invitations.ts";
import * as members from "#contract/admin-members.ts";
import * as tv from "#contract/admin-tv.ts";
import { permissions } from "#contract/endpoint.ts";
import { gameServersUpdated } from "#contract/game-servers.ts";
import {
  findManagedCalendar,
  movePicture,
  removeAudio,
  removePicture,
} from "#server/features/christmas-calendar/actions.ts";
import { previewUrl } from "#server/features/christmas-calendar/rules.ts";
import { findPicture } from "#server/features/christmas-calendar/store.ts";
import {
  addGameServer,
  orderGameServers,
  removeGameServer,
  testGameServer,
  updateGameServer,
} from "#server/features/game-servers/actions.ts";
import { updateGroup, findManagedGroup } from "#server/features/group/actions.ts";
import { createInvitation, listManagedInvitations, revokeInvitation } from "#server/features/invitations/actions.ts";
import { listTvLinks, createTvLink, revokeTvLink } from "#server/features/tv/actions.ts";
import { handle } from "#server/platform/http/handle.ts";
import { checkRecentPassword, type Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import type { Context } from "#server/platform/context.ts";
import {
  changeDisabled,
  changePermissions,
  listAuditEntries,
  listManagedMembers,
  createHandedOverLink,
  uploadCalendarAudio,
  uploadCalendarPicture,
  listManagedGameServers,
  parseGameServerForm,
} from "./actions.ts";
import { formatConnectionTest } from "./rules.ts";

const pageSize = 50;
/** Above every id that a database gives. */
const maxRowId = 2_147_483_647;

export function addAdminRoutes(context: Context): void {
  addMemberRoutes(context);
  addInvitationRoutes(context);
  addCalendarRoutes(context);
  addManagedGameServerRoutes(context);
  addTvLinkRoutes(context);

  handle(context.http, group.getManagedGroup, () => findManagedGroup(context));

  handle(context.http, group.changeGroup, async ({ member, body }) => {
    await updateGroup(context, body, member.id);
    return { message: "Gespeichert." };
  });

  handle(context.http, audit.getAudit, ({ query }) => listAuditEntries(context, toStartId(query), pageSize));
}

function addMemberRoutes(context: Context): void {
  const { http, clock, realtime, log } = context;
  const checkRecent = (member: Member) => checkRecentPassword(member, clock.now());

  handle(http, members.getManagedMembers, () => listManagedMembers(context));

  handle(http, members.setPermissions, async ({ member, params, body }) => {
    checkRecent(member);
    const id = params.id;
    const wanted = permissions.filter((one) => body.permissions.includes(one));
    await changePermissions(context, id, member.id, () => wanted);
    await realtime.accessChanged({ userId: id });
    log.info("permissions-changed", { user: id, by: member.id });
    return { message: "Berechtigungen gespeichert." };
  });

  handle(http, members.setDisabled, async ({ member, params, body: { disabled } }) => {
    checkRecent(member);
    const id = params.id;
    await changeDisabled(context, id, member.id, disabled);
    await realtime.accessChanged({ userId: id });
    log.info(disabled ? "member-disabled" : "member-enabled", { user: id, by: member.id });
    return { message: disabled ? "Konto gesperrt." : "Konto entsperrt." };
  });

  handle(http, members.makeResetLink, async ({ member, params }) => {
    checkRecent(member);
    const { url, expiresAt } = await createHandedOverLink(context, params.id, member.id);
    log.info("reset-link-made", { user: params.id, by: member.id });
    return { url, expires_at: new Date(expiresAt).toISOString() };
  });
}

function addInvitationRoutes(context: Context): void {
  const { http, clock, log } = context;

  handle(http, invitations.getInvitations, ({ query }) => listManagedInvitations(context, toStartId(query), pageSize));

  handle(http, invitations.makeInvitation, async ({ member, body }) => {
    if (body.permissions.length > 0) checkRecentPassword(member, clock.now());
    const wanted = permissions.filter((one) => body.permissions.includes(one));
    const made = await createInvitation(context, { ...body, permissions: wanted, createdBy: member.id });
    log.info("invitation-made", { by: member.id });
    return { id: made.id, token: made.token, url: made.url, expires_at: new Date(made.expiresAt).toISOString() };
  });

  handle(http, invitations.revokeInvitation, async ({ member, params }) => {
    await revokeInvitation(context, params.id, member.id);
    log.info("invitation-revoked", { by: member.id });
    return { message: "Einladung zurückgezogen." };
  });
}

function addCalendarRoutes(context: Context): void {
  const { http, db, clock } = context;
  const changeOf = (member: Member) => ({ by: member.id, at: clock.now() });

  handle(http, calendar.getManagedCalendar, ({ query: { year } }) =>
    findManagedCalendar(context, year === undefined ? null : Number(year)),
  );

  handle(http, calendar.getCalendarPreview, async ({ params, reply }) => {
    const bytes = await findPicture(db, params.id);
    if (!bytes) throw refuse("M404");
    reply.headers({
      "cache-control": "private, max-age=31536000, immutable",
      "content-disposition": 'inline; filename="bild.webp"',
    });
    return bytes;
  });

  handle(http, calendar.setCalendarPicture, async ({ member, params: { date }, request }) => {
    const id = await uploadCalendarPicture(context, request, date, member.id);
    return { message: "Bild aufgehängt.", date, preview: previewUrl(id) };
  });

  handle(http, calendar.moveCalendarPicture, async ({ member, params, body }) => {
    await movePicture(db, params.date, body.to, changeOf(member));
    return { message: "Bilder getauscht." };
  });

  handle(http, calendar.deleteCalendarPicture, async ({ member, params }) => {
    await removePicture(db, params.date, changeOf(member));
    return { message: "Bild abgenommen." };
  });

  handle(http, calendar.setCalendarAudio, async ({ member, request }) => {
    await uploadCalendarAudio(context, request, member.id);
    return { message: "Musik geändert." };
  });

  handle(http, calendar.deleteCalendarAudio, async ({ member }) => {
    await removeAudio(db, changeOf(member));
    return { message: "Es spielt wieder unsere Musik." };
  });
}

function addManagedGameServerRoutes(context: Context): void {
  const { http, clock, realtime } = context;

  /** Open pages look again: at one server, or with 0 at the list. */
  function publishChange(serverId: number): void {
    const news = { userId: null, serverId, message: "", avatarId: null };
    realtime.publish(gameServersUpdated.name, gameServersUpdated.channel, news);
  }

  handle(http, gameServers.getManagedGameServers, () => listManagedGameServers(context));

  handle(http, gameServers.addGameServer, async ({ member, body }) => {
    checkRecentPassword(member, clock.now());
    const setup = { ...parseGameServerForm(body), driver: "docker", ref: body.ref } as const;
    const id = await addGameServer(context, setup, member.id);
    publishChange(0);
    return { message: `${body.display_name} ist angelegt.`, id };
  });

  handle(http, gameServers.changeGameServer, async ({ member, params, body }) => {
    checkRecentPassword(member, clock.now());
    const id = params.id;
    await updateGameServer(context, id, parseGameServerForm(body), member.id);
    publishChange(id);
    return { message: `${body.display_name} ist gespeichert.` };
  });

  handle(http, gameServers.orderGameServers, async ({ member, body }) => {
    await orderGameServers(context, body.ids, member.id);
    publishChange(0);
    return { message: "Reihenfolge gespeichert." };
  });

  handle(http, gameServers.removeGameServer, async ({ member, params }) => {
    checkRecentPassword(member, clock.now());
    await removeGameServer(context, params.id, member.id);
    publishChange(0);
    return { message: "Game-Server entfernt." };
  });

  handle(http, gameServers.testGameServer, async ({ params }) => {
    const inspection = await testGameServer(context, params.id);
    return { ok: inspection.kind === "found", message: formatConnectionTest(inspection) };
  });
}

function addTvLinkRoutes(context: Context): void {
  const { http, log } = context;

  handle(http, tv.getTvLinks, () => listTvLinks(context));

  handle(http, tv.makeTvLink, async ({ member, body }) => {
    const made = await createTvLink(context, body.name, member.id);
    log.info("tv-link-made", { by: member.id });
    return made;
  });

  handle(http, tv.revokeTvLink, async ({ member, params }) => {
    await revokeTvLink(context, params.id, member.id);
    log.info("tv-link-revoked", { by: member.id });
    return { message: "Link zurückgezogen." };
  });
}

function toStartId({ before }: { readonly before?: number | undefined }): number {
  return before ?? maxRowId;
}
