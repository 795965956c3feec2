import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { currentPassword, fixedMessage } from "./fields.ts";
import { field } from "./labels.ts";
import { user } from "./members.ts";

/** Sets the readable XSRF-TOKEN cookie and, for guests, a new session id. */
export const getCsrfCookie = endpoint("GET /sanctum/csrf-cookie", {
  who: "everyone",
  perMinute: 60,
  status: 204,
});

/** The logged-in member; `{"user":null}` for guests. */
export const checkLoginStatus = endpoint("GET /api/checkLoginStatus", {
  who: "everyone",
  reply: z.object({ user: z.nullable(user) }),
});

export const login = endpoint("POST /api/login", {
  who: "everyone",
  // Only bounds the work in front of the login throttle, which answers first.
  perMinute: 600,
  maxBody: 4096,
  body: z.object({
    uname: field("Benutzername", z.string().check(z.trim(), z.minLength(1))),
    password: currentPassword,
    rememberUser: field("Eingeloggt bleiben", z._default(z.boolean(), false)),
  }),
  reply: z.object({ user }),
});

/** Logs out. A GET that changes state, as specified: only our own page can set X-Requested-With. */
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
