import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage } from "./fields.ts";
import { email, memberName, newPassword, passwordConfirmation, pastedToken, uname } from "./member-fields.ts";

/**
 * Returns who invites, for the page that an invitation opens; `null` if the invitation is unknown,
 * used up, revoked or expired. Uses nothing up.
 */
export const getInviter = endpoint("POST /api/invitation", {
  who: "everyone",
  body: z.object({ token: pastedToken }),
  reply: z.object({
    invitation: z.nullable(
      z.object({
        /** `null` for an invitation of the command line, and if the member hides or takes a break. */
        by: z.nullable(z.string()),
        /** The name under which the guest of a party asked to become a member, for the form. */
        guest_name: z._default(z.nullable(z.string()), null),
      }),
    ),
  }),
});

/**
 * Registers a member with an invitation. Only the registration uses up the invitation; opening its
 * link does not.
 */
export const register = endpoint("POST /api/register", {
  who: "everyone",
  maxBody: 8192,
  body: z.object({
    token: pastedToken,
    uname,
    name: memberName,
    email,
    password: newPassword,
    password_confirmation: passwordConfirmation,
  }),
  reply: z.extend(fixedMessage("Willkommen! Du kannst dich jetzt anmelden."), {
    /** Present for the first member, if an administrator, who then names the group. */
    is_host: z.optional(z.literal(true)),
  }),
  status: 201,
});
