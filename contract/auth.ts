import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { currentPassword, fixedMessage } from "./fields.ts";
import { field } from "./labels.ts";
import { user } from "./members.ts";

/** Sets the XSRF-TOKEN cookie, which JavaScript can read. Guests also get a new session id. */
export const getCsrfCookie = endpoint("GET /sanctum/csrf-cookie", {
  who: "everyone",
  perMinute: 60,
  status: 204,
});

/** Returns the logged-in member, or `{"user":null}` for guests. */
export const checkLoginStatus = endpoint("GET /api/checkLoginStatus", {
  who: "everyone",
  reply: z.object({ user: z.nullable(user) }),
});

export const login = endpoint("POST /api/login", {
  who: "everyone",
  // High, because the login throttle refuses guessed passwords much earlier; this limit only bounds
  // the server's work.
  perMinute: 600,
  maxBody: 4096,
  body: z.object({
    uname: field("Benutzername", z.string().check(z.trim(), z.minLength(1))),
    password: currentPassword,
    rememberUser: field("Eingeloggt bleiben", z._default(z.boolean(), false)),
  }),
  reply: z.object({ user }),
});

/**
 * Logs out with GET, because the API specification demands GET. Other sites cannot log a member
 * out: only our own page can set the required header X-Requested-With.
 */
export const logout = endpoint("GET /api/logout", {
  who: "everyone",
  csrf: "requested-with",
  perMinute: 60,
  reply: fixedMessage("Abgemeldet."),
});

export const logoutByPost = endpoint("POST /api/logout", {
  who: "everyone",
  perMinute: 60,
  reply: fixedMessage("Abgemeldet."),
});
