import { createInvitation } from "#server/features/invitations/actions.ts";
import { adminRows } from "./contract-table-admin.ts";
import type { ContractRow } from "./contract-row.ts";
import { fixtures } from "./fixtures.ts";
import { type TestApp, password } from "./test-app.ts";
import { boundary, multipartForm } from "./upload.ts";

const user = ["id", "uname", "name", "email", "permissions[]", "avatarId", "profile_picture"];
const gameServer = (before: string) =>
  [
    ...["id", "display_name", "state", "address", "players.online", "players.max", "players.names[]"],
    ...["changed_by", "changed_at", "auto_stop_at", "join_url"],
  ].map((field) => before + field);
const unknownSocket = { socket_id: "1.1" };
let registrations = 0;

/**
 * Who may do what, for every endpoint there is. The columns: stranger without a CSRF token · stranger with one ·
 * member · member with see-game-servers · with see- and toggle-game-servers · administrator without either ·
 * disabled member · member whose session ended.
 */
export const contractRows: Readonly<Record<string, ContractRow>> = {
  "GET /healthz": { statuses: [200, 200, 200, 200, 200, 200, 200, 200], fields: ["status"] },
  "GET /readyz": { statuses: [200, 200, 200, 200, 200, 200, 200, 200], fields: ["status"] },
  "GET /api/config": {
    statuses: [200, 200, 200, 200, 200, 200, 200, 200],
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
    statuses: [200, 200, 200, 200, 200, 200, 200, 200],
    fields: [
      ...["id", "name", "short_name", "description", "lang", "start_url", "scope", "display"],
      ...["theme_color", "background_color"],
      ...["src", "sizes", "type", "purpose"].map((field) => `icons[].${field}`),
      ...["name", "url"].map((field) => `shortcuts[].${field}`),
      ...["src", "sizes", "type"].map((field) => `shortcuts[].icons[].${field}`),
      ...["src", "sizes", "type", "form_factor", "label"].map((field) => `screenshots[].${field}`),
    ],
  },
  "GET /sanctum/csrf-cookie": { statuses: [204, 204, 204, 204, 204, 204, 204, 204], fields: [] },
  "GET /api/checkLoginStatus": {
    statuses: [200, 200, 200, 200, 200, 200, 200, 200],
    fields: user.map((field) => `user.${field}`),
  },
  "POST /api/login": {
    statuses: [419, 200, 200, 200, 200, 200, 200, 200],
    body: () => ({ uname: "ben", password }),
    fields: user.map((field) => `user.${field}`),
  },
  "GET /api/logout": { statuses: [200, 200, 200, 200, 200, 200, 200, 200], fields: ["message"] },
  "POST /api/logout": { statuses: [419, 200, 200, 200, 200, 200, 200, 200], fields: ["message"] },
  "POST /api/register": {
    statuses: [419, 201, 201, 201, 201, 201, 201, 201],
    body: registrationForm,
    fields: ["message"],
  },
  "GET /internal/images/avatar/:id": {
    statuses: [401, 401, 200, 200, 200, 200, 401, 401],
    path: `/internal/images/avatar/${fixtures.avatarId}`,
    fields: [],
  },
  "GET /api/tv": {
    statuses: [200, 200, 200, 200, 200, 200, 200, 200],
    headers: { "tv-token": fixtures.tvToken },
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
    statuses: [404, 404, 404, 404, 404, 404, 404, 404],
    path: `/api/tv/pictures/${fixtures.avatarId}`,
    headers: { "tv-token": fixtures.tvToken },
    fields: [],
  },
  "GET /api/user/:id/avatar": {
    statuses: [401, 401, 200, 200, 200, 200, 401, 401],
    path: "/api/user/2/avatar",
    fields: ["avatarId", "name"],
  },
  "POST /api/user/update": {
    statuses: [419, 401, 422, 422, 422, 422, 401, 401],
    body: () => ({ uname: "frieda", name: "Frieda", email: "niemand@stammtisch.example" }),
    fields: [],
  },
  "POST /api/user/changePassword": {
    statuses: [419, 401, 200, 200, 200, 200, 401, 401],
    body: () => ({ password, password_confirmation: password }),
    fields: ["message"],
  },
  "POST /api/user/confirmPassword": {
    statuses: [419, 401, 200, 200, 200, 200, 401, 401],
    body: () => ({ password }),
    fields: ["message"],
  },
  "GET /api/user/sessions": {
    statuses: [401, 401, 200, 200, 200, 200, 401, 401],
    fields: ["id", "device", "created_at", "last_seen_at", "current"].map((field) => `[].${field}`),
  },
  "DELETE /api/user/sessions/:id": {
    statuses: [419, 401, 404, 404, 404, 404, 401, 401],
    path: `/api/user/sessions/${"a".repeat(64)}`,
    fields: [],
  },
  "DELETE /api/user/sessions": { statuses: [419, 401, 200, 200, 200, 200, 401, 401], fields: ["message"] },
  "POST /api/images/avatar": {
    statuses: [419, 401, 201, 201, 201, 201, 401, 401],
    body: () => multipartForm(fixtures.png),
    type: `multipart/form-data; boundary=${boundary}`,
    fields: ["message", "id"],
  },
  "GET /api/user/avatars": { statuses: [401, 401, 200, 200, 200, 200, 401, 401], fields: ["[].id"] },
  "POST /api/user/avatar": {
    statuses: [419, 401, 200, 200, 200, 200, 401, 401],
    body: () => ({ id: null }),
    fields: ["message"],
  },
  "DELETE /api/user/avatars/:id": {
    statuses: [419, 401, 404, 404, 404, 404, 401, 401],
    path: `/api/user/avatars/${"a".repeat(22)}`,
    fields: [],
  },
  "GET /api/user/export": {
    statuses: [401, 401, 200, 200, 200, 200, 401, 401],
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
  "GET /api/user/export/beers": { statuses: [401, 401, 200, 200, 200, 200, 401, 401], fields: [] },
  "POST /api/user/delete": {
    statuses: [419, 401, 422, 422, 422, 422, 401, 401],
    body: () => ({ uname: "somebody-else", password, beers: "keep" }),
    fields: [],
  },
  "POST /api/push": {
    statuses: [419, 401, 201, 201, 201, 201, 401, 401],
    body: () => ({ pushSubscription: fixtures.pushSubscription }),
    fields: ["message"],
  },
  "GET /api/push/devices": {
    statuses: [401, 401, 200, 200, 200, 200, 401, 401],
    fields: ["id", "device", "since", "last_success_at", "current"].map((field) => `[].${field}`),
  },
  "DELETE /api/push/devices/:id": {
    statuses: [419, 401, 404, 404, 404, 404, 401, 401],
    path: "/api/push/devices/999999",
    fields: [],
  },
  "POST /api/push/test": {
    statuses: [419, 401, 200, 200, 200, 200, 401, 401],
    fields: ["[].device", "[].result"],
  },
  "GET /api/push/settings": {
    statuses: [401, 401, 200, 200, 200, 200, 401, 401],
    fields: ["beers", "game_servers", "sound", "quiet_hours.from", "quiet_hours.until", "is_wanted_here"],
  },
  "POST /api/push/settings": {
    statuses: [419, 401, 200, 200, 200, 200, 401, 401],
    body: () => ({ beers: true, game_servers: true, sound: false, quiet_hours: { from: "23:00", until: "08:00" } }),
    fields: ["beers", "game_servers", "sound", "quiet_hours.from", "quiet_hours.until"],
  },
  "POST /api/forgot-password": {
    statuses: [419, 200, 200, 200, 200, 200, 200, 200],
    body: () => ({ email: "niemand@stammtisch.example" }),
    fields: ["message"],
  },
  "POST /api/reset-password": {
    statuses: [419, 422, 422, 422, 422, 422, 422, 422],
    body: () => ({ token: "x".repeat(43), password, password_confirmation: password }),
    fields: [],
  },
  "GET /api/game-servers": { statuses: [401, 401, 403, 200, 200, 403, 401, 401], fields: gameServer("[].") },
  "GET /api/game-servers/:id": {
    statuses: [401, 401, 403, 200, 200, 403, 401, 401],
    path: "/api/game-servers/1",
    fields: gameServer(""),
  },
  "POST /api/game-servers/:id": {
    statuses: [419, 401, 403, 403, 503, 403, 401, 401],
    path: "/api/game-servers/1",
    body: () => ({ state: 1 }),
    fields: [],
  },
  "POST /api/game-servers/:id/keep-running": {
    statuses: [419, 401, 403, 403, 200, 403, 401, 401],
    path: "/api/game-servers/1/keep-running",
    fields: ["message"],
  },
  "GET /api/christmas-calendar/opened-images": {
    statuses: [401, 401, 200, 200, 200, 200, 401, 401],
    path: "/api/christmas-calendar/opened-images?year=2025",
    fields: ["images[].date", "images[].url", "year", "years[]", "today"],
  },
  "POST /api/christmas-calendar/open/:date": {
    statuses: [419, 401, 200, 200, 200, 200, 401, 401],
    path: `/api/christmas-calendar/open/${fixtures.calendarDate}`,
    fields: ["url"],
  },
  "GET /internal/images/calendar/:id": {
    statuses: [401, 401, 200, 200, 200, 200, 401, 401],
    path: `/internal/images/calendar/${fixtures.calendarId}`,
    fields: [],
  },
  "GET /internal/audio/1": { statuses: [401, 401, 200, 200, 200, 200, 401, 401], fields: [] },
  "GET /api/beercounter/counters": {
    statuses: [401, 401, 200, 200, 200, 200, 401, 401],
    fields: ["KSKCounterVal", "userCounterVal"],
  },
  "POST /api/beercounter/counters": {
    statuses: [419, 401, 200, 200, 200, 200, 401, 401],
    fields: ["KSKCounterVal", "userCounterVal"],
  },
  "GET /api/beercounter/beers": {
    statuses: [401, 401, 200, 200, 200, 200, 401, 401],
    fields: ["id", "key", "at", "late", "removable_seconds"].map((field) => `beers[].${field}`),
  },
  "DELETE /api/beercounter/beers/:id": {
    statuses: [419, 401, 404, 404, 404, 404, 401, 401],
    path: "/api/beercounter/beers/4711",
    fields: [],
  },
  "DELETE /api/beercounter/taps/:key": {
    statuses: [419, 401, 200, 200, 200, 200, 401, 401],
    path: "/api/beercounter/taps/never-heard-of",
    fields: ["KSKCounterVal", "userCounterVal"],
  },
  "GET /api/beercounter/stats/user": {
    statuses: [401, 401, 200, 200, 200, 200, 401, 401],
    fields: ["id", "name", "uname", "profile_picture", "beercounter_entries_count"].map((field) => `users[].${field}`),
  },
  "GET /api/beercounter/stats/timely": {
    statuses: [401, 401, 200, 200, 200, 200, 401, 401],
    fields: ["thisWeek[]", "allWeeks[]"],
  },
  "GET /api/beercounter/stats/period": {
    statuses: [401, 401, 200, 200, 200, 200, 401, 401],
    path: "/api/beercounter/stats/period?span=week",
    fields: [
      ...["span", "from", "to", "today", "earlier", "later", "total", "before"],
      ...["bars[].time", "bars[].total"],
      ...["id", "name", "uname", "profile_picture", "beercounter_entries_count"].map((field) => `users[].${field}`),
    ],
  },
  "GET /api/beercounter/years": {
    statuses: [401, 401, 200, 200, 200, 200, 401, 401],
    fields: ["years[].year", "years[].final", "today"],
  },
  "GET /api/beercounter/years/:year": {
    statuses: [401, 401, 200, 200, 200, 200, 401, 401],
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
    statuses: [419, 401, 200, 200, 200, 200, 401, 401],
    body: () => ({ is_shown: true, is_paused: false }),
    fields: user.map((field) => `data.${field}`),
  },
  "POST /api/members/:id/toast": {
    statuses: [419, 401, 204, 204, 204, 204, 401, 401],
    // David: his session ended, but he is a member.
    path: "/api/members/5/toast",
    fields: [],
  },
  ...adminRows,
  "POST /broadcasting/auth": {
    statuses: [419, 401, 422, 422, 422, 422, 401, 401],
    body: () => ({ ...unknownSocket, channel_name: "private-beercounter" }),
    fields: [],
  },
  "POST /broadcasting/user-auth": {
    statuses: [419, 401, 403, 403, 403, 403, 401, 401],
    body: () => unknownSocket,
    fields: [],
  },
};

/** A registration that nobody made before, with an invitation of its own. */
async function registrationForm({ context }: TestApp): Promise<object> {
  const { token } = await createInvitation(context, { permissions: [], days: 1, uses: 1, createdBy: null });
  registrations += 1;
  const uname = `newcomer-${registrations}`;
  return {
    ...{ token, uname, name: "Neuling", email: `${uname}@stammtisch.example` },
    ...{ password, password_confirmation: password },
  };
}
