import { savePresence, toastMember } from "#contract/presence.ts";
import { handle } from "#server/platform/http/handle.ts";
import type { Platform } from "#server/platform/platform.ts";
import { changePresence, toast } from "./actions.ts";

export function addPresenceRoutes(platform: Platform): void {
  handle(platform.door, savePresence, async ({ member, body }) => ({
    data: await changePresence(platform, member, body),
  }));
  handle(platform.door, toastMember, ({ member, params }) => toast(platform, member, params.id));
}
