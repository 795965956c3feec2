import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { rowId } from "./fields.ts";

/** Returns the picture and name of a member, which the height calculator shows in its result; 404 if hidden. */
export const getMemberAvatar = endpoint("GET /api/user/:id/avatar", {
  who: "member",
  params: z.object({ id: rowId }),
  reply: z.object({ avatarId: z.nullable(z.string()), name: z.string() }),
});
