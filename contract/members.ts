import * as z from "zod/mini";

import { endpoint, permissions } from "./endpoint.ts";
import { event, userChannelPrefix } from "./event.ts";
import { pictureId } from "./fields.ts";
import { visibilities } from "./visibility.ts";

export const permissionList = z.array(z.enum(permissions));

/** A member in a list. `avatarId`: id of the chosen picture; `null` is the default picture. */
export const listedMember = z.object({ id: z.int(), name: z.string(), avatarId: z.nullable(z.string()) });

/** Translates the other name of `avatarId` on the wire. */
export function toListedMember({ id, name, profile_picture }: MemberOnWire): z.output<typeof listedMember> {
  return { id, name, avatarId: profile_picture };
}

interface MemberOnWire {
  readonly id: number;
  readonly name: string;
  readonly profile_picture: string | null;
}

/**
 * The data of the logged-in member. `avatarId` and `profile_picture` both contain the id of the
 * chosen picture; `null` is the default picture.
 */
export const user = z.extend(listedMember, {
  uname: z.string(),
  email: z.string(),
  permissions: permissionList,
  profile_picture: z.nullable(z.string()),
  /** Missing for visible members. */
  visibility: z.optional(z.enum(visibilities)),
  /** The next three fields repeat `visibility` for pages of 1.0.0. */
  is_hidden: z.optional(z.literal(true)),
  is_paused: z.optional(z.literal(true)),
  is_mat_hidden: z.optional(z.literal(true)),
  /** Present if this member may see the page of game servers only once one exists. */
  has_no_game_servers: z.optional(z.literal(true)),
  /** Present while news exist that the member has neither opened nor dismissed on any device. */
  has_unread_news: z.optional(z.literal(true)),
});
export type User = z.output<typeof user>;

/** Data of the member have changed, possibly on another device; pages refetch the login status. */
export const memberChanged = event({ channel: userChannelPrefix, name: "member-changed", data: z.object({}) });

/**
 * Returns the chosen picture of any member, and all pictures of the requesting member; otherwise
 * 404.
 */
export const getAvatarImage = endpoint("GET /internal/images/avatar/:id", {
  who: "member",
  perMinute: 600,
  params: z.object({ id: pictureId }),
  media: "image/png",
});
