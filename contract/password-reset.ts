import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { email, newPassword } from "./fields.ts";

const message = z.object({ message: z.string() });

/** Asks for a link. The answer is the same whether the address belongs to a member or not. */
export const forgotPassword = endpoint({
  method: "POST",
  path: "/api/forgot-password",
  who: "everyone",
  rate: { per: "ip", limit: 20, seconds: 3600 },
  maxBody: 2048,
  body: z.object({ email }),
  reply: message,
});

/** Uses a link up. A password that breaks a rule leaves it good. */
export const resetPassword = endpoint({
  method: "POST",
  path: "/api/reset-password",
  who: "everyone",
  rate: { per: "ip", limit: 10, seconds: 60 },
  maxBody: 4096,
  body: z.object({
    token: z.string().check(z.trim(), z.minLength(1)),
    password: newPassword,
    password_confirmation: z._default(z.string(), ""),
  }),
  reply: message,
});
