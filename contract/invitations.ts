import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { email, memberName, newPassword, uname } from "./fields.ts";

/** An invitation becomes a member. Opening its link never uses it up; only this call does. */
export const register = endpoint({
  method: "POST",
  path: "/api/register",
  who: "everyone",
  rate: { per: "ip", limit: 30, seconds: 60 },
  maxBody: 8192,
  body: z.object({
    token: z.string().check(z.trim(), z.minLength(1)),
    uname,
    name: memberName,
    email,
    password: newPassword,
    password_confirmation: z._default(z.string(), ""),
  }),
  reply: z.object({ message: z.string() }),
  status: 201,
});
