import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage } from "./fields.ts";
import { email, newPassword, passwordConfirmation, pastedToken } from "./member-fields.ts";

/** Asks for a link. The answer is the same whether the address belongs to a member or not. */
export const forgotPassword = endpoint("POST /api/forgot-password", {
  who: "everyone",
  rate: { per: "ip", limit: 20, seconds: 3600 },
  maxBody: 2048,
  body: z.object({ email }),
  reply: fixedMessage("Wenn ein Konto mit dieser E-Mail-Adresse existiert, haben wir dir einen Link geschickt."),
});

/** Uses a link. A password that breaks a rule leaves it valid. */
export const resetPassword = endpoint("POST /api/reset-password", {
  who: "everyone",
  perMinute: 10,
  maxBody: 4096,
  body: z.object({
    token: pastedToken,
    password: newPassword,
    password_confirmation: passwordConfirmation,
  }),
  reply: fixedMessage("Das Passwort wurde zurückgesetzt!"),
});
