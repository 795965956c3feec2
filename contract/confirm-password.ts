import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { currentPassword, fixedMessage } from "./fields.ts";

/** Verifies the current password of the logged-in member. The session gets a new id. */
export const confirmPassword = endpoint("POST /api/user/confirmPassword", {
  who: "member",
  perMinute: 5,
  maxBody: 2048,
  body: z.object({ password: currentPassword }),
  reply: fixedMessage("Passwort bestätigt."),
});
