import { register as registerEndpoint } from "#contract/invitations.ts";
import { handle } from "#server/platform/http/handle.ts";
import type { Platform } from "#server/platform/platform.ts";
import { register } from "./actions.ts";

export function addInvitationRoutes(platform: Platform): void {
  handle(platform.door, registerEndpoint, async ({ body }) => {
    await register(platform, body);
    return { message: "Willkommen! Du kannst dich jetzt einloggen." };
  });
}
