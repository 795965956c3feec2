import * as z from "zod/mini";

import { endpoint, permissions } from "./endpoint.ts";
import { event, userChannelPrefix } from "./event.ts";
import { pictureId } from "./fields.ts";

export const permissionList = z.array(z.enum(permissions));

/** A member, for the member alone. `profile_picture` is the same value as `avatarId`. */
export const user = z.object({
  id: z.int(),
  uname: z.string(),
  name: z.string(),
  email: z.string(),
  permissions: permissionList,
  avatarId: z.nullable(z.string()),
  profile_picture: z.nullable(z.string()),
  /** Only where the member wants it: the others do not see that the member is present. */
  is_hidden: z.optional(z.literal(true)),
  /** Only where the member wants it: a pause, without a bar in the ranking and without notifications by name. */
  is_paused: z.optional(z.literal(true)),
  /** Only where the member wants it: the others do not see the member's page. */
  is_mat_hidden: z.optional(z.literal(true)),
  /** Only while there is news that the member has not opened or put away on any device. */
  has_unread_news: z.optional(z.literal(true)),
});
export type User = z.output<typeof user>;

/** The member's data were changed, maybe on another device: read the login status again. */
export const memberChanged = event({ channel: userChannelPrefix, name: "member-changed", data: z.object({}) });

/** The chosen picture of a member; 404 for other pictures, unless they are one's own. */
export const getAvatarImage = endpoint("GET /internal/images/avatar/:id", {
  who: "member",
  perMinute: 600,
  params: z.object({ id: pictureId }),
  media: "image/png",
});
