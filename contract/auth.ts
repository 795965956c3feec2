import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { user } from "./members.ts";

const message = z.object({ message: z.string() });
const requiredString = z.string().check(z.minLength(1));

/** Sets the readable XSRF-TOKEN cookie and, for strangers, a fresh session id. */
export const getCsrfCookie = endpoint({
  method: "GET",
  path: "/sanctum/csrf-cookie",
  who: "everyone",
  rate: { per: "ip", limit: 60, seconds: 60 },
  maxBody: 0,
  status: 204,
});

/** Who am I? A question, not a protected resource: strangers get `{"user":null}`. */
export const checkLoginStatus = endpoint({
  method: "GET",
  path: "/api/checkLoginStatus",
  who: "everyone",
  rate: { per: "ip", limit: 120, seconds: 60 },
  maxBody: 0,
  reply: z.object({ user: z.nullable(user) }),
});

export const login = endpoint({
  method: "POST",
  path: "/api/login",
  who: "everyone",
  // The login throttle answers first; this only bounds the work in front of it.
  rate: { per: "ip", limit: 600, seconds: 60 },
  maxBody: 4096,
  body: z.object({
    uname: z.string().check(z.trim(), z.minLength(1)),
    password: requiredString,
    rememberUser: z._default(z.boolean(), false),
  }),
  reply: z.object({ user }),
});

/** The specification's GET that changes state: only our own page can set X-Requested-With. */
export const logout = endpoint({
  method: "GET",
  path: "/api/logout",
  who: "everyone",
  csrf: "requested-with",
  rate: { per: "ip", limit: 60, seconds: 60 },
  maxBody: 0,
  reply: message,
});

export const logoutByPost = endpoint({
  method: "POST",
  path: "/api/logout",
  who: "everyone",
  rate: { per: "ip", limit: 60, seconds: 60 },
  maxBody: 1024,
  accepts: "ignored",
  reply: message,
});
