import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { event, userChannelPrefix } from "./event.ts";
import { rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { user } from "./members.ts";

/**
 * Says if the others see that the member is present, if the member is paused, and if the others see the member's page. Pages of the
 * previous version do not send the last one; it is unchanged then.
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

/** A member gets at most one toast of the same other member in this time, in milliseconds. */
export const toastIntervalMs = 60_000;

/**
 * Toasts back to a member; 404 for an unknown id. A toast that comes too often, or if one of the two members hides or
 * is paused, is accepted and dropped, and the answer does not tell.
 */
export const toastMember = endpoint("POST /api/members/:id/toast", {
  who: "member",
  perMinute: 60,
  params: z.object({ id: rowId }),
  status: 204,
});

/** A member toasts back; sent only to the other one. */
export const toasted = event({
  channel: userChannelPrefix,
  name: "toasted",
  data: z.object({ userId: z.int(), userName: z.string(), avatarId: z.nullable(z.string()) }),
});
