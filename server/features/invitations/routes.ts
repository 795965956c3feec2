import { register as registerEndpoint } from "#contract/invitations.ts";
import { handle } from "#server/platform/http/handle.ts";
import type { Context } from "#server/platform/context.ts";
import { register } from "./actions.ts";

export function addInvitationRoutes(context: Context): void {
  handle(context.http, registerEndpoint, async ({ body }) => {
    await register(context, body);
    return { message: "Willkommen! Du kannst dich jetzt einloggen." };
  });
}
