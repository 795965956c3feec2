import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { event, userChannelPrefix } from "./event.ts";
import { user } from "./members.ts";

/** Whether the others see that one is here, and whether one takes a break. */
export const presenceSettings = z.object({ is_shown: z.boolean(), is_paused: z.boolean() });
export type PresenceSettings = z.output<typeof presenceSettings>;

export const savePresence = endpoint({
  method: "POST",
  path: "/api/user/presence",
  who: "member",
  rate: { per: "member", limit: 30, seconds: 60 },
  maxBody: 1024,
  body: presenceSettings,
  reply: z.object({ data: user }),
});

/** How often one member hears of the same other one, in milliseconds. */
export const toastIntervalMs = 60_000;

/**
 * Toasts back to a member who is here; 404 where nobody has that id. What comes too often, or to or from somebody who
 * does not want to be seen or takes a break, is accepted and goes no further.
 */
export const toastMember = endpoint({
  method: "POST",
  path: "/api/members/:id/toast",
  who: "member",
  rate: { per: "member", limit: 60, seconds: 60 },
  maxBody: 1024,
  accepts: "ignored",
  params: z.object({ id: z.pipe(z.string().check(z.regex(/^[1-9]\d{0,8}$/)), z.transform(Number)) }),
  status: 204,
});

/** Somebody toasts back: told to nobody but the member who is meant. */
export const toasted = event({
  channel: userChannelPrefix,
  name: "toasted",
  data: z.object({ userId: z.int(), userName: z.string(), avatarId: z.nullable(z.string()) }),
});
