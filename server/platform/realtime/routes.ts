import { authenticateUser, authorizeChannel } from "#contract/realtime.ts";
import { isShownWith } from "#contract/visibility.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import type { Member } from "#server/platform/http/member.ts";
import type { Access } from "./options.ts";

export function addRealtimeRoutes({ http, realtime }: Context): void {
  handle(http, authorizeChannel, async ({ body, member }) =>
    realtime.authorizeChannel({ socketId: body.socket_id, channel: body.channel_name }, toAccess(member)),
  );

  handle(http, authenticateUser, async ({ body, member }) =>
    realtime.authenticateUser(body.socket_id, toAccess(member)),
  );
}

function toAccess({ id, sessionId, name, avatarId, permissions, visibility }: Member): Access {
  return { userId: id, sessionId, name, avatarId, permissions, isShown: isShownWith(visibility, "presence") };
}
