import { getAvatarImage } from "#contract/members.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sendPicture } from "#server/platform/http/ranges.ts";
import { findPicture } from "./store.ts";

export function addRoutes({ http, db }: Context): void {
  handle(http, getAvatarImage, async ({ params, member, request, reply }) =>
    sendPicture(request, reply, await findPicture(db, params.id, member.id), "avatar.png"),
  );
}
