import type { Row } from "./contract-row.ts";
import { furniture } from "./furniture.ts";
import { boundary, formWith } from "./upload.ts";

const gameServerForm = { display_name: "Minecraft", address: null, query: "none", grace: null, idle_stop: null };

/** The Verwaltung's lines of the contract's table. */
export const administration: Readonly<Record<string, Row>> = {
  "GET /api/admin/members": {
    answers: onlyAdmins(200, "GET"),
    fields: [
      ...["id", "uname", "name", "email", "permissions[]", "disabled", "beers"].map((field) => `[].${field}`),
      ...["created_at", "last_seen_at", "avatarId", "invitation", "invitation.id", "invitation.by"].map(
        (field) => `[].${field}`,
      ),
      ...["invitations", "tv_links", "reset_links"].map((field) => `[].access_links.${field}`),
    ],
  },
  "POST /api/admin/members/:id/permissions": {
    answers: onlyAdmins(200),
    path: "/api/admin/members/3/permissions",
    body: () => ({ permissions: ["see-game-servers", "toggle-game-servers"] }),
    fields: ["message"],
  },
  "POST /api/admin/members/:id/disabled": {
    answers: onlyAdmins(200),
    path: "/api/admin/members/1/disabled",
    body: () => ({ disabled: false }),
    fields: ["message"],
  },
  "POST /api/admin/members/:id/reset-link": {
    answers: onlyAdmins(201),
    path: "/api/admin/members/1/reset-link",
    fields: ["url", "expires_at"],
  },
  "GET /api/admin/invitations": {
    answers: onlyAdmins(200, "GET"),
    fields: [
      ...["id", "permissions[]", "by", "created_at", "expires_at", "state", "uses_left", "members[].id"],
      ...["members[].name", "members[].avatarId"],
    ]
      .map((field) => `invitations[].${field}`)
      .concat("has_more"),
  },
  "POST /api/admin/invitations": {
    answers: onlyAdmins(201),
    body: () => ({ permissions: ["see-game-servers"], days: 7, uses: 2 }),
    fields: ["id", "token", "url", "expires_at"],
  },
  "DELETE /api/admin/invitations/:id": {
    answers: onlyAdmins(200),
    path: "/api/admin/invitations/1",
    fields: ["message"],
  },
  "GET /api/admin/game-servers": {
    answers: onlyAdmins(200, "GET"),
    fields: [...["id", "display_name", "driver", "ref", "address", "query", "grace", "idle_stop", "state"]].map(
      (field) => `[].${field}`,
    ),
  },
  "POST /api/admin/game-servers": {
    // One more server would be one more in every list.
    answers: onlyAdmins(422),
    body: () => ({ ...gameServerForm, ref: "minecraft", query: "source" }),
    fields: [],
  },
  "POST /api/admin/game-servers/:id": {
    answers: onlyAdmins(404),
    path: "/api/admin/game-servers/999999",
    body: () => gameServerForm,
    fields: [],
  },
  "POST /api/admin/game-server-order": {
    answers: onlyAdmins(200),
    body: async ({ db }) => ({
      ids: (await db.selectFrom("game_servers").select("id").orderBy("position").execute()).map(({ id }) => id),
    }),
    fields: ["message"],
  },
  "DELETE /api/admin/game-servers/:id": {
    answers: onlyAdmins(404),
    path: "/api/admin/game-servers/999999",
    fields: [],
  },
  "POST /api/admin/game-servers/:id/test": {
    answers: onlyAdmins(200),
    path: "/api/admin/game-servers/1/test",
    fields: ["ok", "message"],
  },
  "GET /api/admin/calendar": {
    answers: onlyAdmins(200, "GET"),
    path: "/api/admin/calendar?year=2025",
    fields: ["year", "years[]", "days[].date", "days[].preview", "days[].opened", "audio"],
  },
  "GET /internal/images/calendar-preview/:id": {
    answers: onlyAdmins(200, "GET"),
    path: `/internal/images/calendar-preview/${furniture.calendarId}`,
    fields: [],
  },
  "POST /api/admin/calendar/pictures/:date": {
    answers: onlyAdmins(201),
    path: "/api/admin/calendar/pictures/2031-12-02",
    body: () => formWith(furniture.png, { field: "picture" }),
    type: `multipart/form-data; boundary=${boundary}`,
    fields: ["message", "date", "preview"],
  },
  "POST /api/admin/calendar/pictures/:date/move": {
    answers: onlyAdmins(200),
    path: `/api/admin/calendar/pictures/${furniture.calendarDate}/move`,
    body: () => ({ to: furniture.calendarDate }),
    fields: ["message"],
  },
  "DELETE /api/admin/calendar/pictures/:date": {
    answers: onlyAdmins(404),
    path: "/api/admin/calendar/pictures/2031-12-24",
    fields: [],
  },
  "POST /api/admin/calendar/audio": {
    answers: onlyAdmins(201),
    body: () => formWith(Buffer.from("OggS music"), { field: "audio", name: "musik.ogg", type: "audio/ogg" }),
    type: `multipart/form-data; boundary=${boundary}`,
    fields: ["message"],
  },
  "DELETE /api/admin/calendar/audio": { answers: onlyAdmins(200), fields: ["message"] },
  "GET /api/admin/group": {
    answers: onlyAdmins(200, "GET"),
    fields: ["", "configured."].flatMap((prefix) =>
      ["group_name", "group_short", "legal_links[].label", "legal_links[].url"].map((field) => prefix + field),
    ),
  },
  "POST /api/admin/group": {
    answers: onlyAdmins(200),
    body: () => ({
      group_name: "Skatrunde",
      group_short: "SKR",
      legal_links: [{ label: "Impressum", url: "/impressum" }],
    }),
    fields: ["message"],
  },
  "GET /api/admin/tv": {
    answers: onlyAdmins(200, "GET"),
    fields: ["id", "name", "by", "created_at", "last_used_at"].map((field) => `[].${field}`),
  },
  "POST /api/admin/tv": { answers: onlyAdmins(201), body: () => ({ name: "Keller" }), fields: ["id", "url"] },
  "DELETE /api/admin/tv/:id": { answers: onlyAdmins(404), path: "/api/admin/tv/999999", fields: [] },
  "GET /api/admin/audit": {
    answers: onlyAdmins(200, "GET"),
    fields: [
      ...["id", "at", "via", "action", "text", "actor", "actor.id", "actor.name", "actor.avatarId"],
      ...["member", "member.id", "member.name", "member.avatarId"],
    ]
      .map((field) => `entries[].${field}`)
      .concat("has_more"),
  },
};

/** Answers of the Verwaltung's calls: to nobody but the administrator. */
function onlyAdmins(status: number, method: "GET" | "change" = "change"): Row["answers"] {
  return [method === "GET" ? 401 : 419, 401, 403, 403, 403, status, 401, 401];
}
