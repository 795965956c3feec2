import { getAvatarImage } from "#contract/members.ts";
import { handle } from "#server/platform/http/handle.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import type { Context } from "#server/platform/context.ts";
import { findPicture } from "./store.ts";

export function addMemberRoutes({ http, db }: Context): void {
  handle(http, getAvatarImage, async ({ params, member, request, reply }) => {
    const png = await findPicture(db, params.id, member.id);
    if (!png) throw refuse("M404");
    reply.headers({
      "cache-control": "private, max-age=31536000, immutable",
      "content-disposition": 'inline; filename="avatar.png"',
      etag: `"${params.id}"`,
    });
    if (request.headers["if-none-match"] === `"${params.id}"`) reply.code(304);
    return png;
  });
}
