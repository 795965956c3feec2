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
  lookBehindDoors,
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
import { changeGroup, lookAtGroup } from "#server/features/group/actions.ts";
import { createInvitation, lookAtInvitations, revokeInvitation } from "#server/features/invitations/actions.ts";
import { lookAtLinks, makeLink, revokeLink } from "#server/features/tv/actions.ts";
import { handle } from "#server/platform/http/handle.ts";
import { checkRecentPassword, type Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refuse.ts";
import type { Platform } from "#server/platform/platform.ts";
import {
  changeDisabled,
  changePermissions,
  lookAtAudit,
  lookAtMembers,
  makeResetLink,
  receiveAudio,
  receivePicture,
  lookAtGameServers,
  readGameServer,
} from "./actions.ts";
import { sayWhatIsSeen } from "./rules.ts";

type Drivers = NonNullable<Parameters<typeof addGameServer>[2]>;

const pageSize = 50;
/** Above every id that a database gives. */
const afterAll = 2_147_483_647;

/** `drivers`: what tests put in the place of engines. */
export function addAdminRoutes(platform: Platform, drivers?: Drivers): void {
  addMemberRoutes(platform);
  addInvitationRoutes(platform);
  addCalendarRoutes(platform);
  addManagedGameServerRoutes(platform, drivers);
  addTelevisionRoutes(platform);

  handle(platform.door, group.getManagedGroup, () => lookAtGroup(platform));

  handle(platform.door, group.changeGroup, async ({ member, body }) => {
    await changeGroup(platform, body, member.id);
    return { message: "Gespeichert." };
  });

  handle(platform.door, audit.getAudit, ({ query }) => lookAtAudit(platform, startOf(query), pageSize));
}

function addMemberRoutes(platform: Platform): void {
  const { door, clock, realtime, log } = platform;
  const checkRecent = (member: Member) => checkRecentPassword(member, clock.now());

  handle(door, members.getManagedMembers, () => lookAtMembers(platform));

  handle(door, members.setPermissions, async ({ member, params, body }) => {
    checkRecent(member);
    const id = Number(params.id);
    const wanted = permissions.filter((one) => body.permissions.includes(one));
    await changePermissions(platform, id, member.id, () => wanted);
    await realtime.accessChanged({ userId: id });
    log.info("permissions-changed", { user: id, by: member.id });
    return { message: "Berechtigungen gespeichert." };
  });

  handle(door, members.setDisabled, async ({ member, params, body: { disabled } }) => {
    checkRecent(member);
    const id = Number(params.id);
    await changeDisabled(platform, id, member.id, disabled);
    await realtime.accessChanged({ userId: id });
    log.info(disabled ? "member-disabled" : "member-enabled", { user: id, by: member.id });
    return { message: disabled ? "Konto gesperrt." : "Konto entsperrt." };
  });

  handle(door, members.makeResetLink, async ({ member, params }) => {
    checkRecent(member);
    const { url, expiresAt } = await makeResetLink(platform, Number(params.id), member.id);
    log.info("reset-link-made", { user: Number(params.id), by: member.id });
    return { url, expires_at: new Date(expiresAt).toISOString() };
  });
}

function addInvitationRoutes(platform: Platform): void {
  const { door, clock, log } = platform;

  handle(door, invitations.getInvitations, ({ query }) => lookAtInvitations(platform, startOf(query), pageSize));

  handle(door, invitations.makeInvitation, async ({ member, body }) => {
    if (body.permissions.length > 0) checkRecentPassword(member, clock.now());
    const wanted = permissions.filter((one) => body.permissions.includes(one));
    const made = await createInvitation(platform, { ...body, permissions: wanted, createdBy: member.id });
    log.info("invitation-made", { by: member.id });
    return { id: made.id, token: made.token, url: made.url, expires_at: new Date(made.expiresAt).toISOString() };
  });

  handle(door, invitations.revokeInvitation, async ({ member, params }) => {
    await revokeInvitation(platform, Number(params.id), member.id);
    log.info("invitation-revoked", { by: member.id });
    return { message: "Einladung zurückgezogen." };
  });
}

function addCalendarRoutes(platform: Platform): void {
  const { door, db, clock } = platform;
  const changeOf = (member: Member) => ({ by: member.id, at: clock.now() });

  handle(door, calendar.getManagedCalendar, ({ query: { year } }) =>
    lookBehindDoors(platform, year === undefined ? null : Number(year)),
  );

  handle(door, calendar.getCalendarPreview, async ({ params, reply }) => {
    const bytes = await findPicture(db, params.id);
    if (!bytes) throw refuse("M404");
    reply.headers({
      "cache-control": "private, max-age=31536000, immutable",
      "content-disposition": 'inline; filename="bild.webp"',
    });
    return bytes;
  });

  handle(door, calendar.hangPicture, async ({ member, params: { date }, request }) => {
    const id = await receivePicture(platform, request, date, member.id);
    return { message: "Bild aufgehängt.", date, preview: previewUrl(id) };
  });

  handle(door, calendar.movePicture, async ({ member, params, body }) => {
    await movePicture(db, params.date, body.to, changeOf(member));
    return { message: "Bilder getauscht." };
  });

  handle(door, calendar.removePicture, async ({ member, params }) => {
    await removePicture(db, params.date, changeOf(member));
    return { message: "Bild abgenommen." };
  });

  handle(door, calendar.setCalendarAudio, async ({ member, request }) => {
    await receiveAudio(platform, request, member.id);
    return { message: "Musik geändert." };
  });

  handle(door, calendar.removeCalendarAudio, async ({ member }) => {
    await removeAudio(db, changeOf(member));
    return { message: "Es spielt wieder unsere Musik." };
  });
}

function addManagedGameServerRoutes(platform: Platform, drivers: Drivers | undefined): void {
  const { door, clock, realtime } = platform;

  /** Open pages look again: at one server, or with 0 at the list. */
  function tell(serverId: number): void {
    const news = { userId: null, serverId, message: "", avatarId: null };
    realtime.publish(gameServersUpdated.name, gameServersUpdated.channel, news);
  }

  handle(door, gameServers.getManagedGameServers, () => lookAtGameServers(platform));

  handle(door, gameServers.addGameServer, async ({ member, body }) => {
    checkRecentPassword(member, clock.now());
    const setup = { ...readGameServer(body), driver: "docker", ref: body.ref } as const;
    const added = await addGameServer(platform, setup, drivers, member.id);
    if (added === "missing") throw refuseField("ref", "V-container");
    tell(0);
    return { message: `${body.display_name} ist angelegt.`, id: added.id };
  });

  handle(door, gameServers.changeGameServer, async ({ member, params, body }) => {
    checkRecentPassword(member, clock.now());
    const id = Number(params.id);
    if (!(await updateGameServer(platform, id, readGameServer(body), member.id))) throw refuse("M404");
    tell(id);
    return { message: `${body.display_name} ist gespeichert.` };
  });

  handle(door, gameServers.orderGameServers, async ({ member, body }) => {
    if (!(await orderGameServers(platform, body.ids, member.id))) throw refuseField("ids", "V-in");
    tell(0);
    return { message: "Reihenfolge gespeichert." };
  });

  handle(door, gameServers.removeGameServer, async ({ member, params }) => {
    checkRecentPassword(member, clock.now());
    if (!(await removeGameServer(platform, Number(params.id), member.id))) throw refuse("M404");
    tell(0);
    return { message: "Game-Server entfernt." };
  });

  handle(door, gameServers.testGameServer, async ({ params }) => {
    const seen = await testGameServer(platform, Number(params.id), drivers);
    if (!seen) throw refuse("M404");
    return { ok: seen.kind === "found", message: sayWhatIsSeen(seen) };
  });
}

function addTelevisionRoutes(platform: Platform): void {
  const { door, log } = platform;

  handle(door, tv.getTvLinks, () => lookAtLinks(platform));

  handle(door, tv.makeTvLink, async ({ member, body }) => {
    const made = await makeLink(platform, body.name, member.id);
    log.info("tv-link-made", { by: member.id });
    return made;
  });

  handle(door, tv.revokeTvLink, async ({ member, params }) => {
    if (!(await revokeLink(platform, Number(params.id), member.id))) throw refuse("M404");
    log.info("tv-link-revoked", { by: member.id });
    return { message: "Link zurückgezogen." };
  });
}

function startOf({ before }: { readonly before?: string | undefined }): number {
  return before === undefined ? afterAll : Number(before);
}
