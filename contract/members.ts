import * as z from "zod/mini";

import { endpoint, permissions } from "./endpoint.ts";
import { event, userChannelPrefix } from "./event.ts";
import { pictureId } from "./fields.ts";

export const permissionList = z.array(z.enum(permissions));

/** A member's own data. `profile_picture` equals `avatarId`. */
export const user = z.object({
  id: z.int(),
  uname: z.string(),
  name: z.string(),
  email: z.string(),
  permissions: permissionList,
  avatarId: z.nullable(z.string()),
  profile_picture: z.nullable(z.string()),
  /** Present if the member hides: others do not see that the member is online. */
  is_hidden: z.optional(z.literal(true)),
  /** Present if the member pauses: no bar in the ranking, and no notifications by name. */
  is_paused: z.optional(z.literal(true)),
  /** Present if others do not see the member's page. */
  is_mat_hidden: z.optional(z.literal(true)),
  /** Present while there is news that the member has not opened or dismissed on any device. */
  has_unread_news: z.optional(z.literal(true)),
});
export type User = z.output<typeof user>;

/** The member's data have changed, perhaps on another device: refetch the login status. */
export const memberChanged = event({ channel: userChannelPrefix, name: "member-changed", data: z.object({}) });

/** The chosen picture of a member; 404 for other pictures, except the own ones. */
export const getAvatarImage = endpoint("GET /internal/images/avatar/:id", {
  who: "member",
  perMinute: 600,
  params: z.object({ id: pictureId }),
  media: "image/png",
});
