import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { event, userChannelPrefix } from "./event.ts";
import { rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { user } from "./members.ts";

/** Whether the others see that one is here, and whether one takes a break. */
export const presenceSettings = z.object({
  is_shown: field("Anwesenheit", z.boolean()),
  is_paused: field("Pause", z.boolean()),
});
export type PresenceSettings = z.output<typeof presenceSettings>;

export const savePresence = endpoint("POST /api/user/presence", {
  who: "member",
  body: presenceSettings,
  reply: z.object({ data: user }),
});

/** How often one member hears of the same other one, in milliseconds. */
export const toastIntervalMs = 60_000;

/**
 * Toasts back to a member who is here; 404 where nobody has that id. What comes too often, or to or from somebody who
 * does not want to be seen or takes a break, is accepted and goes no further.
 */
export const toastMember = endpoint("POST /api/members/:id/toast", {
  who: "member",
  perMinute: 60,
  params: z.object({ id: rowId }),
  status: 204,
});

/** Somebody toasts back: told to nobody but the member who is meant. */
export const toasted = event({
  channel: userChannelPrefix,
  name: "toasted",
  data: z.object({ userId: z.int(), userName: z.string(), avatarId: z.nullable(z.string()) }),
});
