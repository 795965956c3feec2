import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { event, userChannelPrefix } from "./event.ts";
import { rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { user } from "./members.ts";
import { visibilities } from "./visibility.ts";

/** Pages of 1.0.0 send the other three fields instead of `visibility`. */
const visibilityChange = z.object({
  visibility: field("Sichtbarkeit", z.optional(z.enum(visibilities))),
  is_shown: field("Anwesenheit", z.optional(z.boolean())),
  is_paused: field("Pause", z.optional(z.boolean())),
  is_mat_shown: field("Deckel", z.optional(z.boolean())),
});
export type VisibilityChange = z.output<typeof visibilityChange>;

export const saveVisibility = endpoint("POST /api/user/presence", {
  who: "member",
  body: visibilityChange,
  reply: z.object({ data: user }),
});

/**
 * Sends a toast to another member, an answer to that member's beer; 404 for an unknown id. The
 * server silently drops toasts after the first of a minute, or that involve a member who is not visible.
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
