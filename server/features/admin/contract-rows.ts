import type { Db } from "#server/db/connect.ts";
import { doorVersion } from "#server/features/calendar-doors/rules.ts";
import { lockDoor } from "#server/features/calendar-doors/store.ts";
import { admins, type ContractRows, prefixed } from "#test/contract-row.ts";
import { fixtures } from "#test/fixtures.ts";
import { boundary, multipartForm } from "#test/upload.ts";

/** The version of the door of the fixtures. */
async function findVersion(db: Db): Promise<{ version: string }> {
  return { version: doorVersion(await lockDoor(db, fixtures.calendarDate)) };
}

const gameServerForm = { display_name: "Minecraft", address: null, query: "none", grace: null, idle_stop: null };

export const contractRows = {
  "GET /api/admin/members": {
    statuses: admins(200, "GET"),
    fields: [
      ...prefixed("[].", ["id", "uname", "name", "email", "permissions[]", "disabled", "beers"]),
      ...prefixed("[].", ["created_at", "last_seen_at", "avatarId", "invitation", "invitation.id", "invitation.by"]),
      ...prefixed("[].access_links.", ["invitations", "tv_links", "reset_links"]),
    ],
  },
  "GET /api/admin/access-links": { statuses: admins(200, "GET"), fields: ["invitations", "tv_links", "reset_links"] },
  "POST /api/admin/members/:id/permissions": {
    statuses: admins(200),
    path: "/api/admin/members/3/permissions",
    body: () => ({ permissions: ["see-game-servers", "toggle-game-servers"] }),
    fields: ["message"],
  },
  "POST /api/admin/members/:id/disabled": {
    statuses: admins(200),
    path: "/api/admin/members/1/disabled",
    body: () => ({ disabled: false }),
    fields: ["message"],
  },
  "POST /api/admin/members/:id/reset-link": {
    statuses: admins(201),
    path: "/api/admin/members/1/reset-link",
    fields: ["url", "expires_at"],
  },
  "GET /api/admin/invitations": {
    statuses: admins(200, "GET"),
    fields: [
      ...prefixed("invitations[].", ["id", "permissions[]", "by", "created_at", "expires_at", "state", "uses_left"]),
      ...prefixed("invitations[].members[].", ["id", "name", "avatarId"]),
      "has_more",
    ],
  },
  "POST /api/admin/invitations": {
    statuses: admins(201),
    body: () => ({ permissions: ["see-game-servers"], days: 7, uses: 2 }),
    fields: ["id", "token", "url", "expires_at"],
  },
  "DELETE /api/admin/invitations/:id": {
    statuses: admins(200),
    path: "/api/admin/invitations/1",
    fields: ["message"],
  },
  "GET /api/admin/game-servers": {
    statuses: admins(200, "GET"),
    fields: prefixed("[].", [
      ...["id", "display_name", "driver", "ref", "address", "query", "grace", "idle_stop", "state", "is_active"],
    ]),
  },
  "POST /api/admin/game-servers": {
    // One more server would be one more in every list.
    statuses: admins(422),
    body: () => ({ ...gameServerForm, ref: "minecraft", query: "source" }),
    fields: [],
  },
  "POST /api/admin/game-servers/:id": {
    statuses: admins(404),
    path: "/api/admin/game-servers/999999",
    body: () => gameServerForm,
    fields: [],
  },
  "POST /api/admin/game-server-order": {
    statuses: admins(200),
    body: async ({ db }) => ({
      ids: (await db.selectFrom("game_servers").select("id").orderBy("position").execute()).map(({ id }) => id),
    }),
    fields: ["message"],
  },
  "DELETE /api/admin/game-servers/:id": { statuses: admins(404), path: "/api/admin/game-servers/999999", fields: [] },
  "POST /api/admin/game-servers/:id/test": {
    statuses: admins(200),
    path: "/api/admin/game-servers/1/test",
    fields: ["ok", "message"],
  },
  "GET /api/admin/calendar": {
    statuses: admins(200, "GET"),
    path: "/api/admin/calendar?year=2025",
    fields: [
      ...["year", "years[]", "free_doors", "members", "audio"],
      ...prefixed("days[].", ["date", "version", "is_filled", "preview", "text", "can_restore", "opened"]),
      ...prefixed("days[].", ["owner", "owner.id", "owner.name", "owner.avatarId"]),
    ],
  },
  "DELETE /api/admin/calendar/doors/:date": {
    statuses: admins(404),
    path: "/api/admin/calendar/doors/2031-12-24",
    fields: [],
  },
  "GET /internal/images/calendar-preview/:id": {
    statuses: admins(200, "GET"),
    path: `/internal/images/calendar-preview/${fixtures.calendarId}`,
    fields: [],
  },
  "POST /api/admin/calendar/pictures/:date": {
    statuses: admins(201),
    path: "/api/admin/calendar/pictures/2031-12-02",
    body: () => multipartForm(fixtures.png, { field: "picture" }),
    type: `multipart/form-data; boundary=${boundary}`,
    fields: ["message", "date", "preview"],
  },
  "POST /api/admin/calendar/pictures/:date/move": {
    statuses: admins(200),
    path: `/api/admin/calendar/pictures/${fixtures.calendarDate}/move`,
    body: () => ({ to: fixtures.calendarDate }),
    fields: ["message"],
  },
  "POST /api/admin/calendar/pictures/:date/restore": {
    statuses: admins(409),
    path: "/api/admin/calendar/pictures/2031-12-24/restore",
    fields: [],
  },
  "POST /api/admin/calendar/pictures/:date/reveal": {
    statuses: admins(200),
    path: `/api/admin/calendar/pictures/${fixtures.calendarDate}/reveal`,
    body: ({ db }) => findVersion(db),
    fields: ["preview"],
  },
  "DELETE /api/admin/calendar/pictures/:date": {
    statuses: admins(404),
    path: "/api/admin/calendar/pictures/2031-12-24",
    fields: [],
  },
  "POST /api/admin/calendar/audio": {
    statuses: admins(201),
    body: () => multipartForm(Buffer.from("OggS music"), { field: "audio", name: "musik.ogg", type: "audio/ogg" }),
    type: `multipart/form-data; boundary=${boundary}`,
    fields: ["message"],
  },
  "DELETE /api/admin/calendar/audio": { statuses: admins(200), fields: ["message"] },
  "GET /api/admin/group": {
    statuses: admins(200, "GET"),
    fields: ["", "configured."].flatMap((prefix) =>
      ["group_name", "group_short", "legal_links[].label", "legal_links[].url"].map((field) => prefix + field),
    ),
  },
  "POST /api/admin/group": {
    statuses: admins(200),
    body: () => ({
      group_name: "Skatrunde",
      group_short: "SKR",
      legal_links: [{ label: "Impressum", url: "/impressum" }],
    }),
    fields: ["message"],
  },
  "GET /api/admin/tv": {
    statuses: admins(200, "GET"),
    fields: prefixed("[].", ["id", "name", "by", "created_at", "last_used_at"]),
  },
  "POST /api/admin/tv": { statuses: admins(201), body: () => ({ name: "Keller" }), fields: ["id", "url"] },
  "POST /api/admin/tv-code": {
    statuses: admins(201),
    body: async (app) => ({
      code: (await app.createClient().post("/api/tv/code")).json.code as string,
      name: "Keller",
    }),
    fields: ["id", "message"],
  },
  "DELETE /api/admin/tv/:id": { statuses: admins(404), path: "/api/admin/tv/999999", fields: [] },
  "GET /api/admin/audit": {
    statuses: admins(200, "GET"),
    fields: [
      ...prefixed("entries[].", ["id", "at", "via", "action", "text", "actor", "member"]),
      ...prefixed("entries[].actor.", ["id", "name", "avatarId"]),
      ...prefixed("entries[].member.", ["id", "name", "avatarId"]),
      "has_more",
    ],
  },
} satisfies ContractRows;
