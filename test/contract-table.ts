import { createInvitation } from "#server/features/invitations/actions.ts";
import { type House, password } from "./open-house.ts";

/** One endpoint's line: how it is called when everything is right, and what each caller is answered. */
export interface Row {
  /** By column of `callers`. */
  readonly answers: readonly [number, number, number, number, number, number, number, number];
  /** The path with its placeholders filled in. */
  readonly path?: string;
  readonly body?: (house: House) => object | Promise<object>;
  /** Every field of a successful answer, and there are no others; `[]` stands for the items of a list. */
  readonly fields: readonly string[];
}

const user = ["id", "uname", "name", "email", "permissions[]", "avatarId", "profile_picture"];
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
      "legal_links[].label",
      "legal_links[].url",
      "vapid_public_key",
      "mail",
      ...["key", "cluster", "wsHost", "wsPort", "wssPort", "forceTLS"].map((field) => `realtime.${field}`),
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
    answers: [401, 401, 404, 404, 404, 404, 401, 401],
    path: "/internal/images/avatar/AAAAAAAAAAAAAAAAAAAAAA",
    fields: [],
  },
  "GET /api/user/:id/avatar": {
    answers: [401, 401, 200, 200, 200, 200, 401, 401],
    path: "/api/user/1/avatar",
    fields: ["avatarId", "name"],
  },
  "POST /api/forgot-password": {
    answers: [419, 200, 200, 200, 200, 200, 200, 200],
    body: () => ({ email: "nobody@stammtisch.example" }),
    fields: ["message"],
  },
  "POST /api/reset-password": {
    answers: [419, 422, 422, 422, 422, 422, 422, 422],
    body: () => ({ token: "unknown", password, password_confirmation: password }),
    fields: [],
  },
  "POST /api/user/update": {
    answers: [419, 401, 422, 422, 422, 422, 401, 401],
    body: () => ({ uname: "", name: "", email: "" }),
    fields: [],
  },
  "POST /api/user/changePassword": {
    answers: [419, 401, 422, 422, 422, 422, 401, 401],
    body: () => ({ password, password_confirmation: "" }),
    fields: [],
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
    path: `/api/user/sessions/${"0".repeat(64)}`,
    fields: [],
  },
  "DELETE /api/user/sessions": { answers: [419, 401, 200, 200, 200, 200, 401, 401], fields: ["message"] },
  "POST /api/images/avatar": { answers: [419, 401, 422, 422, 422, 422, 401, 401], fields: [] },
  "GET /api/user/avatars": { answers: [401, 401, 200, 200, 200, 200, 401, 401], fields: [] },
  "POST /api/user/avatar": {
    answers: [419, 401, 200, 200, 200, 200, 401, 401],
    body: () => ({ id: null }),
    fields: ["message"],
  },
  "GET /api/beercounter/counters": {
    answers: [401, 401, 200, 200, 200, 200, 401, 401],
    fields: ["KSKCounterVal", "userCounterVal"],
  },
  "POST /api/beercounter/counters": {
    answers: [419, 401, 200, 200, 200, 200, 401, 401],
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
