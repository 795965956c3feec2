import * as audit from "#contract/admin-audit.ts";
import * as calendar from "#contract/admin-calendar.ts";
import * as gameServers from "#contract/admin-game-servers.ts";
import * as group from "#contract/admin-group.ts";
import * as invitations from "#contract/admin-invitations.ts";
import * as members from "#contract/admin-members.ts";
import * as tv from "#contract/admin-tv.ts";
import { maxId } from "#server/db/paginate.ts";
import * as doors from "#server/features/calendar-doors/actions.ts";
import { removeAudio } from "#server/features/calendar-music/actions.ts";
import { announceManagedCalendar } from "#server/features/calendar-notices/actions.ts";
import { findManagedCalendar } from "#server/features/christmas-calendar/actions.ts";
import { findManagedGroup, updateGroup } from "#server/features/group/actions.ts";
import { listManagedInvitations, revokeInvitation } from "#server/features/invitations/actions.ts";
import { createTvLink, listTvLinks, pairTelevision, revokeTvLink } from "#server/features/tv/actions.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import type { Member } from "#server/platform/http/member.ts";
import { sendPicture } from "#server/platform/http/ranges.ts";
import * as actions from "./actions.ts";

const pageSize = 50;

export function addRoutes(context: Context): void {
  addMemberRoutes(context);
  addCalendarRoutes(context);
  addManagedGameServerRoutes(context);
  const { http } = context;

  handle(http, group.getManagedGroup, () => findManagedGroup(context));
  handle(http, group.changeGroup, ({ member, body }) => updateGroup(context, body, member.id));

  handle(http, invitations.getInvitations, ({ query: { before = maxId } }) =>
    listManagedInvitations(context, before, pageSize),
  );
  handle(http, invitations.makeInvitation, ({ member, body }) => actions.inviteAsAdmin(context, member, body));
  handle(http, invitations.revokeInvitation, ({ member, params }) => revokeInvitation(context, params.id, member.id));

  handle(http, tv.getTvLinks, () => listTvLinks(context));
  handle(http, tv.makeTvLink, ({ member, body }) => createTvLink(context, body.name, member.id));
  handle(http, tv.pairTv, ({ member, body }) => pairTelevision(context, body, member.id));
  handle(http, tv.revokeTvLink, ({ member, params }) => revokeTvLink(context, params.id, member.id));

  handle(http, audit.getAudit, ({ query: { before = maxId } }) => actions.listAuditEntries(context, before, pageSize));
}

function addMemberRoutes(context: Context): void {
  const { http } = context;
  handle(http, members.getManagedMembers, () => actions.listManagedMembers(context));
  handle(http, members.getOwnAccessLinks, ({ member }) => actions.countAccessLinks(context, member.id));
  handle(http, members.setPermissions, ({ member, params, body }) =>
    actions.setMemberPermissions(context, member, params.id, body.permissions),
  );
  handle(http, members.setDisabled, ({ member, params, body }) =>
    actions.setMemberDisabled(context, member, params.id, body.disabled),
  );
  handle(http, members.makeResetLink, ({ member, params }) => actions.makeResetLink(context, member, params.id));
}

function addCalendarRoutes(context: Context): void {
  const { http, db, clock } = context;
  const changeBy = (member: Member) => ({ by: member.id, at: clock.now() });

  handle(http, calendar.getManagedCalendar, ({ member, query: { year } }) =>
    findManagedCalendar(context, year === undefined ? null : Number(year), (shown) =>
      doors.findDayDetails(context, member, shown),
    ),
  );
  handle(http, calendar.getCalendarPreview, async ({ member, params, request, reply }) =>
    sendPicture(request, reply, await doors.findPreview(context, member, params.id), "bild.webp"),
  );
  handle(http, calendar.takeCalendarDoorBack, ({ member, params, query }) =>
    doors.takeDoorBack(context, params.date, query, changeBy(member)),
  );
  handle(http, calendar.setCalendarPicture, ({ member, params: { date }, query, request }) =>
    actions.uploadCalendarPicture(context, request, date, query, changeBy(member)),
  );
  handle(http, calendar.moveCalendarPicture, ({ member, params, body }) =>
    doors.movePicture(context, params.date, body, changeBy(member)),
  );
  handle(http, calendar.deleteCalendarPicture, ({ member, params, query }) =>
    doors.takePictureDown(context, params.date, query, changeBy(member)),
  );
  handle(http, calendar.restoreCalendarPicture, ({ member, params }) =>
    doors.restorePicture(context, params.date, changeBy(member)),
  );
  handle(http, calendar.revealCalendarPicture, ({ member, params, body }) =>
    doors.revealPicture(context, member, params.date, body),
  );
  handle(http, calendar.setCalendarAudio, ({ member, request }) =>
    actions.uploadCalendarAudio(context, request, changeBy(member)),
  );
  handle(http, calendar.deleteCalendarAudio, async ({ member }) => {
    await removeAudio(db, changeBy(member));
    announceManagedCalendar(context);
  });
}

function addManagedGameServerRoutes(context: Context): void {
  const { http } = context;
  handle(http, gameServers.getManagedGameServers, () => actions.listManagedGameServers(context));
  handle(http, gameServers.addGameServer, ({ member, body }) => actions.addContainer(context, member, body));
  handle(http, gameServers.changeGameServer, ({ member, params, body }) =>
    actions.updateServer(context, member, params.id, body),
  );
  handle(http, gameServers.orderGameServers, ({ member, body }) => actions.reorderServers(context, member, body.ids));
  handle(http, gameServers.removeGameServer, ({ member, params }) => actions.removeServer(context, member, params.id));
  handle(http, gameServers.testGameServer, ({ params }) => actions.testConnection(context, params.id));
}
