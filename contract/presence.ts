import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { event, userChannelPrefix } from "./event.ts";
import { rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { user } from "./members.ts";

/**
 * Settings: visible presence, pause, and visible member page. Pages of the previous version do not send the last one, which is
 * then unchanged.
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

/** Minimum milliseconds between two toasts from one member to another. */
export const toastIntervalMs = 60_000;

/**
 * Toasts back to a member; 404 for an unknown id. Toasts that are too frequent, or between members of whom one hides or pauses,
 * are silently dropped.
 */
export const toastMember = endpoint("POST /api/members/:id/toast", {
  who: "member",
  perMinute: 60,
  params: z.object({ id: rowId }),
  status: 204,
});

/** A member toasts back; sent only to the other member. */
export const toasted = event({
  channel: userChannelPrefix,
  name: "toasted",
  data: z.object({ userId: z.int(), userName: z.string(), avatarId: z.nullable(z.string()) }),
});
