import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage } from "./fields.ts";
import { email, newPassword, passwordConfirmation, pastedToken } from "./member-fields.ts";

/**
 * Requests a mail with a reset link. The reply does not reveal if the address belongs to a member.
 */
export const forgotPassword = endpoint("POST /api/forgot-password", {
  who: "everyone",
  rate: { per: "ip", limit: 20, seconds: 3600 },
  maxBody: 2048,
  body: z.object({ email }),
  reply: fixedMessage("Wenn ein Konto mit dieser E-Mail-Adresse existiert, haben wir dir einen Link geschickt."),
});

/**
 * Sets a new password with the token of a reset link. The token remains valid if the new password
 * is refused.
 */
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
