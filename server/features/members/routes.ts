import { getAvatarImage } from "#contract/members.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sendFile } from "#server/platform/http/ranges.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import type { Context } from "#server/platform/context.ts";
import { findPicture } from "./store.ts";

export function addMemberRoutes({ http, db }: Context): void {
  handle(http, getAvatarImage, async ({ params, member, request, reply }) => {
    const file = await findPicture(db, params.id, member.id);
    if (!file) throw refuse("M404");
    reply.headers({
      "cache-control": "private, max-age=31536000, immutable",
      "content-disposition": 'inline; filename="avatar.png"',
    });
    return sendFile(request, reply, file);
  });
}
