import { authenticateUser, authorizeChannel } from "#contract/realtime.ts";
import { handle } from "#server/platform/http/handle.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import type { Context } from "#server/platform/context.ts";
import type { Access } from "./options.ts";

/** Where sockets get their signatures from: an ordinary call, so session, CSRF token and rights are checked as everywhere. */
export function addRealtimeRoutes({ http, realtime }: Context): void {
  handle(http, authorizeChannel, async ({ body, member }) => {
    const signed = realtime.authorizeChannel(
      { socketId: body.socket_id, channel: body.channel_name },
      toAccess(member),
    );
    if (signed === "unknown-socket") throw refuseField("socket_id", "V-in");
    if (signed === "forbidden") throw refuse("M403");
    return signed;
  });

  handle(http, authenticateUser, async ({ body, member }) => {
    const signed = realtime.authenticateUser(body.socket_id, toAccess(member));
    if (signed === "forbidden") throw refuse("M403");
    return signed;
  });
}

function toAccess({ id, sessionId, name, avatarId, permissions, is_hidden }: Member): Access {
  return { userId: id, sessionId, name, avatarId, permissions, isShown: !is_hidden };
}
