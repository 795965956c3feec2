import { createInvitation } from "#server/features/invitations/actions.ts";
import { administration } from "./contract-table-admin.ts";
import type { Row } from "./contract-row.ts";
import { furniture } from "./furniture.ts";
import { type House, password } from "./open-house.ts";
import { boundary, formWith } from "./upload.ts";

const user = ["id", "uname", "name", "email", "permissions[]", "avatarId", "profile_picture"];
const gameServer = (before: string) =>
  [
    ...["id", "display_name", "state", "address", "players.online", "players.max", "players.names[]"],
    ...["changed_by", "changed_at", "auto_stop_at", "join_url"],
  ].map((field) => before + field);
const nobodysSocket = { socket_id: "1.1" };
let newcomers = 0;

/**
 * Who may do what, for every endpoint there is. The columns: stranger without a CSRF token · stranger with one ·
 * member · member with see-game-servers · with see- and toggle-game-servers · administrator without either ·
 * disabled member · member whose session ended.
 */
export const table: Readonly<Record<string, Row>> = {
  "GET /healthz": { answers: [200, 200, 200, 200, 200, 200, 200, 200], fields: ["status"] },
  "GET /readyz": { answers: [200, 200, 200, 200, 200, 200, 200, 200], fields: ["status"] },
  "GET /api/config": {
    answers: [200, 200, 200, 200, 200, 200, 200, 200],
    fields: [
      "group_name",
      "group_short",
      "time_zone",
      "legal_links[].label",
      "legal_links[].url",
      "height_requested_by",
      "vapid_public_key",
      "mail",
      ...["key", "cluster", "wsHost", "wsPort", "wssPort", "forceTLS"].map((field) => `realtime.${field}`),
    ],
  },
  "GET /manifest.webmanifest": {
    answers: [200, 200, 200, 200, 200, 200, 200, 200],
    fields: [
      ...["id", "name", "short_name", "description", "lang", "start_url", "scope", "display"],
      ...["theme_color", "background_color"],
      ...["src", "sizes", "type", "purpose"].map((field) => `icons[].${field}`),
      ...["name", "url"].map((field) => `shortcuts[].${field}`),
      ...["src", "sizes", "type"].map((field) => `shortcuts[].icons[].${field}`),
      ...["src", "sizes", "type", "form_factor", "label"].map((field) => `screenshots[].${field}`),
    ],
  },
  "GET /sanctum/csrf-cookie": { answers: [204, 204, 204, 204, 204, 204, 204, 204], fields: [] },
  "GET /api/checkLoginStatus": {
    answers: [200, 200, 200, 200, 200, 200, 200, 200],
    fields: user.map((field) => `user.${field}`),
  },
  "POST /api/login": {
    answers: [419, 200, 200, 200, 200, 200, 200, 200],
    body: () => ({ uname: "ben", password }),
    fields: user.map((field) => `user.${field}`),
  },
  "GET /api/logout": { answers: [200, 200, 200, 200, 200, 200, 200, 200], fields: ["message"] },
  "POST /api/logout": { answers: [419, 200, 200, 200, 200, 200, 200, 200], fields: ["message"] },
  "POST /api/register": {
    answers: [419, 201, 201, 201, 201, 201, 201, 201],
    body: newcomer,
    fields: ["message"],
  },
  "GET /internal/images/avatar/:id": {
    answers: [401, 401, 200, 200, 200, 200, 401, 401],
    path: `/internal/images/avatar/${furniture.avatarId}`,
    fields: [],
  },
  "GET /api/tv": {
    answers: [200, 200, 200, 200, 200, 200, 200, 200],
    headers: { "tv-token": furniture.tvToken },
    fields: [
      "now",
      "version",
      ...[
        ...["group_name", "group_short", "total"],
        ...["id", "name", "avatarId", "count"].map((field) => `drinkers[].${field}`),
        ...["id", "name", "avatarId", "at"].map((field) => `taps[].${field}`),
        ...["id", "kind", "count", "userName", "avatarId", "at"].map((field) => `milestone.${field}`),
      ].map((field) => `screen.${field}`),
    ],
  },
  "GET /api/tv/pictures/:id": {
    // Carla has chosen to show none by then.
    answers: [404, 404, 404, 404, 404, 404, 404, 404],
    path: `/api/tv/pictures/${furniture.avatarId}`,
    headers: { "tv-token": furniture.tvToken },
    fields: [],
  },
  "GET /api/user/:id/avatar": {
    answers: [401, 401, 200, 200, 200, 200, 401, 401],
    path: "/api/user/2/avatar",
    fields: ["avatarId", "name"],
  },
  "POST /api/user/update": {
    answers: [419, 401, 422, 422, 422, 422, 401, 401],
    body: () => ({ uname: "frieda", name: "Frieda", email: "niemand@stammtisch.example" }),
    fields: [],
  },
  "POST /api/user/changePassword": {
    answers: [419, 401, 200, 200, 200, 200, 401, 401],
    body: () => ({ password, password_confirmation: password }),
    fields: ["message"],
  },
  "POST /api/user/confirmPassword": {
    answers: [419, 401, 200, 200, 200, 200, 401, 401],
    body: () => ({ password }),
    fields: ["message"],
  },
  "GET /api/user/sessions": {
    answers: [401, 401, 200, 200, 200, 200, 401, 401],
    fields: ["id", "device", "created_at", "last_seen_at", "current"].map((field) => `[].${field}`),
  },
  "DELETE /api/user/sessions/:id": {
    answers: [419, 401, 404, 404, 404, 404, 401, 401],
    path: `/api/user/sessions/${"a".repeat(64)}`,
    fields: [],
  },
  "DELETE /api/user/sessions": { answers: [419, 401, 200, 200, 200, 200, 401, 401], fields: ["message"] },
  "POST /api/images/avatar": {
    answers: [419, 401, 201, 201, 201, 201, 401, 401],
    body: () => formWith(furniture.png),
    type: `multipart/form-data; boundary=${boundary}`,
    fields: ["message", "id"],
  },
  "GET /api/user/avatars": { answers: [401, 401, 200, 200, 200, 200, 401, 401], fields: ["[].id"] },
  "POST /api/user/avatar": {
    answers: [419, 401, 200, 200, 200, 200, 401, 401],
    body: () => ({ id: null }),
    fields: ["message"],
  },
  "DELETE /api/user/avatars/:id": {
    answers: [419, 401, 404, 404, 404, 404, 401, 401],
    path: `/api/user/avatars/${"a".repeat(22)}`,
    fields: [],
  },
  "GET /api/user/export": {
    answers: [401, 401, 200, 200, 200, 200, 401, 401],
    fields: [
      "exported_at",
      ...["id", "uname", "name", "email", "permissions[]", "avatar", "member_since"].map((field) => `profile.${field}`),
      ...["is_shown", "is_paused", "last_login_at", "invitation"].map((field) => `profile.${field}`),
      ...[
        "device",
        "user_agent",
        "logged_in_at",
        "last_seen_at",
        "password_entered_at",
        "stays_logged_in",
        "push_endpoint",
      ].map((field) => `devices[].${field}`),
      "known_browsers[].last_login_at",
      ...["id", "url", "uploaded_at"].map((field) => `pictures[].${field}`),
      ...["beers", "game_servers", "sound", "quiet_hours.from", "quiet_hours.until"].map(
        (field) => `notifications.${field}`,
      ),
      "taps_taken_back[].key",
      ...["kind", "count", "at"].map((field) => `milestones[].${field}`),
      "calendar_doors_opened[].date",
      "calendar_doors_opened[].opened_at",
      ...["at", "booked_at", "key"].map((field) => `beers[].${field}`),
    ],
  },
  "GET /api/user/export/beers": { answers: [401, 401, 200, 200, 200, 200, 401, 401], fields: [] },
  "POST /api/user/delete": {
    answers: [419, 401, 422, 422, 422, 422, 401, 401],
    body: () => ({ uname: "somebody-else", password, beers: "keep" }),
    fields: [],
  },
  "POST /api/push": {
    answers: [419, 401, 201, 201, 201, 201, 401, 401],
    body: () => ({ pushSubscription: furniture.pushSubscription }),
    fields: ["message"],
  },
  "GET /api/push/devices": {
    answers: [401, 401, 200, 200, 200, 200, 401, 401],
    fields: ["id", "device", "since", "last_success_at", "current"].map((field) => `[].${field}`),
  },
  "DELETE /api/push/devices/:id": {
    answers: [419, 401, 404, 404, 404, 404, 401, 401],
    path: "/api/push/devices/999999",
    fields: [],
  },
  "POST /api/push/test": {
    answers: [419, 401, 200, 200, 200, 200, 401, 401],
    fields: ["[].device", "[].result"],
  },
  "GET /api/push/settings": {
    answers: [401, 401, 200, 200, 200, 200, 401, 401],
    fields: ["beers", "game_servers", "sound", "quiet_hours.from", "quiet_hours.until", "is_wanted_here"],
  },
  "POST /api/push/settings": {
    answers: [419, 401, 200, 200, 200, 200, 401, 401],
    body: () => ({ beers: true, game_servers: true, sound: false, quiet_hours: { from: "23:00", until: "08:00" } }),
    fields: ["beers", "game_servers", "sound", "quiet_hours.from", "quiet_hours.until"],
  },
  "POST /api/forgot-password": {
    answers: [419, 200, 200, 200, 200, 200, 200, 200],
    body: () => ({ email: "niemand@stammtisch.example" }),
    fields: ["message"],
  },
  "POST /api/reset-password": {
    answers: [419, 422, 422, 422, 422, 422, 422, 422],
    body: () => ({ token: "x".repeat(43), password, password_confirmation: password }),
    fields: [],
  },
  "GET /api/game-servers": { answers: [401, 401, 403, 200, 200, 403, 401, 401], fields: gameServer("[].") },
  "GET /api/game-servers/:id": {
    answers: [401, 401, 403, 200, 200, 403, 401, 401],
    path: "/api/game-servers/1",
    fields: gameServer(""),
  },
  "POST /api/game-servers/:id": {
    answers: [419, 401, 403, 403, 503, 403, 401, 401],
    path: "/api/game-servers/1",
    body: () => ({ state: 1 }),
    fields: [],
  },
  "POST /api/game-servers/:id/keep-running": {
    answers: [419, 401, 403, 403, 200, 403, 401, 401],
    path: "/api/game-servers/1/keep-running",
    fields: ["message"],
  },
  "GET /api/christmas-calendar/opened-images": {
    answers: [401, 401, 200, 200, 200, 200, 401, 401],
    path: "/api/christmas-calendar/opened-images?year=2025",
    fields: ["images[].date", "images[].url", "year", "years[]", "today"],
  },
  "POST /api/christmas-calendar/open/:date": {
    answers: [419, 401, 200, 200, 200, 200, 401, 401],
    path: `/api/christmas-calendar/open/${furniture.calendarDate}`,
    fields: ["url"],
  },
  "GET /internal/images/calendar/:id": {
    answers: [401, 401, 200, 200, 200, 200, 401, 401],
    path: `/internal/images/calendar/${furniture.calendarId}`,
    fields: [],
  },
  "GET /internal/audio/1": { answers: [401, 401, 200, 200, 200, 200, 401, 401], fields: [] },
  "GET /api/beercounter/counters": {
    answers: [401, 401, 200, 200, 200, 200, 401, 401],
    fields: ["KSKCounterVal", "userCounterVal"],
  },
  "POST /api/beercounter/counters": {
    answers: [419, 401, 200, 200, 200, 200, 401, 401],
    fields: ["KSKCounterVal", "userCounterVal"],
  },
  "GET /api/beercounter/beers": {
    answers: [401, 401, 200, 200, 200, 200, 401, 401],
    fields: ["id", "key", "at", "late", "removable_seconds"].map((field) => `beers[].${field}`),
  },
  "DELETE /api/beercounter/beers/:id": {
    answers: [419, 401, 404, 404, 404, 404, 401, 401],
    path: "/api/beercounter/beers/4711",
    fields: [],
  },
  "DELETE /api/beercounter/taps/:key": {
    answers: [419, 401, 200, 200, 200, 200, 401, 401],
    path: "/api/beercounter/taps/never-heard-of",
    fields: ["KSKCounterVal", "userCounterVal"],
  },
  "GET /api/beercounter/stats/user": {
    answers: [401, 401, 200, 200, 200, 200, 401, 401],
    fields: ["id", "name", "uname", "profile_picture", "beercounter_entries_count"].map((field) => `users[].${field}`),
  },
  "GET /api/beercounter/stats/timely": {
    answers: [401, 401, 200, 200, 200, 200, 401, 401],
    fields: ["thisWeek[]", "allWeeks[]"],
  },
  "GET /api/beercounter/stats/period": {
    answers: [401, 401, 200, 200, 200, 200, 401, 401],
    path: "/api/beercounter/stats/period?span=week",
    fields: [
      ...["span", "from", "to", "today", "earlier", "later", "total", "before"],
      ...["bars[].time", "bars[].total"],
      ...["id", "name", "uname", "profile_picture", "beercounter_entries_count"].map((field) => `users[].${field}`),
    ],
  },
  "GET /api/beercounter/years": {
    answers: [401, 401, 200, 200, 200, 200, 401, 401],
    fields: ["years[].year", "years[].final", "today"],
  },
  "GET /api/beercounter/years/:year": {
    answers: [401, 401, 200, 200, 200, 200, 401, 401],
    path: "/api/beercounter/years/2025",
    fields: [
      ...["year", "final"],
      ...["total", "previous_total", "days[]", "month", "weekday"].map((field) => `group.${field}`),
      ...["day", "total", "others"].map((field) => `group.longest.${field}`),
      ...["id", "name", "profile_picture"].map((field) => `group.longest.members[].${field}`),
      ...["total", "month", "weekday", "first", "last"].map((field) => `own.${field}`),
      ...["id", "name", "profile_picture"].map((field) => `own.company.member.${field}`),
      "own.company.days",
      ...["from", "to", "days"].map((field) => `own.pause.${field}`),
    ],
  },
  "POST /api/user/presence": {
    answers: [419, 401, 200, 200, 200, 200, 401, 401],
    body: () => ({ is_shown: true, is_paused: false }),
    fields: user.map((field) => `data.${field}`),
  },
  "POST /api/members/:id/toast": {
    answers: [419, 401, 204, 204, 204, 204, 401, 401],
    // David: his session ended, but he is a member.
    path: "/api/members/5/toast",
    fields: [],
  },
  ...administration,
  "POST /broadcasting/auth": {
    answers: [419, 401, 422, 422, 422, 422, 401, 401],
    body: () => ({ ...nobodysSocket, channel_name: "private-beercounter" }),
    fields: [],
  },
  "POST /broadcasting/user-auth": {
    answers: [419, 401, 403, 403, 403, 403, 401, 401],
    body: () => nobodysSocket,
    fields: [],
  },
};

/** A registration that nobody made before, with an invitation of its own. */
async function newcomer({ platform }: House): Promise<object> {
  const { token } = await createInvitation(platform, { permissions: [], days: 1, uses: 1, createdBy: null });
  newcomers += 1;
  const uname = `newcomer-${newcomers}`;
  return {
    ...{ token, uname, name: "Neuling", email: `${uname}@stammtisch.example` },
    ...{ password, password_confirmation: password },
  };
}
