import { getMemberAvatar } from "#contract/height-calculator.ts";
import { getAvatarImage } from "#contract/members.ts";
import { markNewsSeen } from "#contract/news.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sendPicture } from "#server/platform/http/ranges.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import * as actions from "./actions.ts";
import * as store from "./store.ts";

export function addRoutes(context: Context): void {
  const { http, db } = context;
  handle(http, getAvatarImage, async ({ params, member, request, reply }) =>
    sendPicture(request, reply, await store.findPicture(db, params.id, member.id), "avatar.png"),
  );
  handle(http, getMemberAvatar, async ({ params }) => {
    const avatar = await store.findMemberAvatar(db, params.id);
    if (!avatar) throw refuse("notFound");
    return avatar;
  });
  handle(http, markNewsSeen, ({ member, body }) => actions.markNewsSeen(context, member, body.seen));
}
