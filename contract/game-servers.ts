import * as z from "zod/mini";

import { event } from "./event.ts";

/** A server was started or stopped, or changed by itself: then no member is named. Only for members with see-game-servers. */
export const gameServersUpdated = event({
  channel: "private-game-servers",
  name: "updated",
  data: z.object({
    userId: z.nullable(z.int()),
    serverId: z.int(),
    message: z.string(),
    avatarId: z.nullable(z.string()),
  }),
});
