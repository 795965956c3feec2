import type { ContractRow } from "./contract-row.ts";
import { fixtures } from "./fixtures.ts";
import { boundary, multipartForm } from "./upload.ts";

const gameServerForm = { display_name: "Minecraft", address: null, query: "none", grace: null, idle_stop: null };

/** The Verwaltung's lines of the contract's table. */
export const adminRows: Readonly<Record<string, ContractRow>> = {
  "GET /api/admin/members": {
    statuses: adminOnly(200, "GET"),
    fields: [
      ...["id", "uname", "name", "email", "permissions[]", "disabled", "beers"].map((field) => `[].${field}`),
      ...["created_at", "last_seen_at", "avatarId", "invitation", "invitation.id", "invitation.by"].map(
        (field) => `[].${field}`,
      ),
      ...["invitations", "tv_links", "reset_links"].map((field) => `[].access_links.${field}`),
    ],
  },
  "POST /api/admin/members/:id/permissions": {
    statuses: adminOnly(200),
    path: "/api/admin/members/3/permissions",
    body: () => ({ permissions: ["see-game-servers", "toggle-game-servers"] }),
    fields: ["message"],
  },
  "POST /api/admin/members/:id/disabled": {
    statuses: adminOnly(200),
    path: "/api/admin/members/1/disabled",
    body: () => ({ disabled: false }),
    fields: ["message"],
  },
  "POST /api/admin/members/:id/reset-link": {
    statuses: adminOnly(201),
    path: "/api/admin/members/1/reset-link",
    fields: ["url", "expires_at"],
  },
  "GET /api/admin/invitations": {
    statuses: adminOnly(200, "GET"),
    fields: [
      ...["id", "permissions[]", "by", "created_at", "expires_at", "state", "uses_left", "members[].id"],
      ...["members[].name", "members[].avatarId"],
    ]
      .map((field) => `invitations[].${field}`)
      .concat("has_more"),
  },
  "POST /api/admin/invitations": {
    statuses: adminOnly(201),
    body: () => ({ permissions: ["see-game-servers"], days: 7, uses: 2 }),
    fields: ["id", "token", "url", "expires_at"],
  },
  "DELETE /api/admin/invitations/:id": {
    statuses: adminOnly(200),
    path: "/api/admin/invitations/1",
    fields: ["message"],
  },
  "GET /api/admin/game-servers": {
    statuses: adminOnly(200, "GET"),
    fields: [...["id", "display_name", "driver", "ref", "address", "query", "grace", "idle_stop", "state"]].map(
      (field) => `[].${field}`,
    ),
  },
  "POST /api/admin/game-servers": {
    // One more server would be one more in every list.
    statuses: adminOnly(422),
    body: () => ({ ...gameServerForm, ref: "minecraft", query: "source" }),
    fields: [],
  },
  "POST /api/admin/game-servers/:id": {
    statuses: adminOnly(404),
    path: "/api/admin/game-servers/999999",
    body: () => gameServerForm,
    fields: [],
  },
  "POST /api/admin/game-server-order": {
    statuses: adminOnly(200),
    body: async ({ db }) => ({
      ids: (await db.selectFrom("game_servers").select("id").orderBy("position").execute()).map(({ id }) => id),
    }),
    fields: ["message"],
  },
  "DELETE /api/admin/game-servers/:id": {
    statuses: adminOnly(404),
    path: "/api/admin/game-servers/999999",
    fields: [],
  },
  "POST /api/admin/game-servers/:id/test": {
    statuses: adminOnly(200),
    path: "/api/admin/game-servers/1/test",
    fields: ["ok", "message"],
  },
  "GET /api/admin/calendar": {
    statuses: adminOnly(200, "GET"),
    path: "/api/admin/calendar?year=2025",
    fields: ["year", "years[]", "days[].date", "days[].preview", "days[].opened", "audio"],
  },
  "GET /internal/images/calendar-preview/:id": {
    statuses: adminOnly(200, "GET"),
    path: `/internal/images/calendar-preview/${fixtures.calendarId}`,
    fields: [],
  },
  "POST /api/admin/calendar/pictures/:date": {
    statuses: adminOnly(201),
    path: "/api/admin/calendar/pictures/2031-12-02",
    body: () => multipartForm(fixtures.png, { field: "picture" }),
    type: `multipart/form-data; boundary=${boundary}`,
    fields: ["message", "date", "preview"],
  },
  "POST /api/admin/calendar/pictures/:date/move": {
    statuses: adminOnly(200),
    path: `/api/admin/calendar/pictures/${fixtures.calendarDate}/move`,
    body: () => ({ to: fixtures.calendarDate }),
    fields: ["message"],
  },
  "DELETE /api/admin/calendar/pictures/:date": {
    statuses: adminOnly(404),
    path: "/api/admin/calendar/pictures/2031-12-24",
    fields: [],
  },
  "POST /api/admin/calendar/audio": {
    statuses: adminOnly(201),
    body: () => multipartForm(Buffer.from("OggS music"), { field: "audio", name: "musik.ogg", type: "audio/ogg" }),
    type: `multipart/form-data; boundary=${boundary}`,
    fields: ["message"],
  },
  "DELETE /api/admin/calendar/audio": { statuses: adminOnly(200), fields: ["message"] },
  "GET /api/admin/group": {
    statuses: adminOnly(200, "GET"),
    fields: ["", "configured."].flatMap((prefix) =>
      ["group_name", "group_short", "legal_links[].label", "legal_links[].url"].map((field) => prefix + field),
    ),
  },
  "POST /api/admin/group": {
    statuses: adminOnly(200),
    body: () => ({
      group_name: "Skatrunde",
      group_short: "SKR",
      legal_links: [{ label: "Impressum", url: "/impressum" }],
    }),
    fields: ["message"],
  },
  "GET /api/admin/tv": {
    statuses: adminOnly(200, "GET"),
    fields: ["id", "name", "by", "created_at", "last_used_at"].map((field) => `[].${field}`),
  },
  "POST /api/admin/tv": { statuses: adminOnly(201), body: () => ({ name: "Keller" }), fields: ["id", "url"] },
  "DELETE /api/admin/tv/:id": { statuses: adminOnly(404), path: "/api/admin/tv/999999", fields: [] },
  "GET /api/admin/audit": {
    statuses: adminOnly(200, "GET"),
    fields: [
      ...["id", "at", "via", "action", "text", "actor", "actor.id", "actor.name", "actor.avatarId"],
      ...["member", "member.id", "member.name", "member.avatarId"],
    ]
      .map((field) => `entries[].${field}`)
      .concat("has_more"),
  },
};

/** Answers of the Verwaltung's calls: to nobody but the administrator. */
function adminOnly(status: number, method: "GET" | "change" = "change"): ContractRow["statuses"] {
  return [method === "GET" ? 401 : 419, 401, 403, 403, 403, status, 401, 401];
}
