import { savePresence, toastMember } from "#contract/presence.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { updatePresence, toast } from "./actions.ts";

export function addRoutes(context: Context): void {
  handle(context.http, savePresence, async ({ member, body }) => ({
    data: await updatePresence(context, member, body),
  }));
  handle(context.http, toastMember, ({ member, params }) => toast(context, member, params.id));
}
