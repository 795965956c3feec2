import { getMemberAvatar } from "#contract/height-calculator.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { findMemberAvatar } from "./store.ts";

export function addRoutes({ http, db }: Context): void {
  handle(http, getMemberAvatar, async ({ params }) => {
    const avatar = await findMemberAvatar(db, params.id);
    if (!avatar) throw refuse("notFound");
    return avatar;
  });
}
