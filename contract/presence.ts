import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { event, userChannelPrefix } from "./event.ts";
import { rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { user } from "./members.ts";

/**
 * `is_shown`: other members see that the member is online. `is_paused`: the member is neither in
 * the ranking nor among the present members. `is_mat_shown`: other members can open the member's
 * page; unchanged if missing, because pages of the previous version do not send it.
 */
export const presenceSettings = z.object({
  is_shown: field("Anwesenheit", z.boolean()),
  is_paused: field("Pause", z.boolean()),
  is_mat_shown: field("Deckel", z.optional(z.boolean())),
});
export type PresenceSettings = z.output<typeof presenceSettings>;

export const savePresence = endpoint("POST /api/user/presence", {
  who: "member",
  body: presenceSettings,
  reply: z.object({ data: user }),
});

/**
 * Sends a toast to another member, an answer to that member's beer; 404 for an unknown id. The
 * server silently drops toasts after the first of a minute, or that involve a hidden or paused member.
 */
export const toastMember = endpoint("POST /api/members/:id/toast", {
  who: "member",
  perMinute: 60,
  params: z.object({ id: rowId }),
  status: 204,
});

/** A member answers a beer with a toast. Sent only to the member who drank the beer. */
export const toasted = event({
  channel: userChannelPrefix,
  name: "toasted",
  data: z.object({ userId: z.int(), userName: z.string(), avatarId: z.nullable(z.string()) }),
});
