import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

/** The picture and name of one member, for the thanks of the height calculator. */
export const getMemberAvatar = endpoint({
  method: "GET",
  path: "/api/user/:id/avatar",
  who: "member",
  rate: { per: "member", limit: 120, seconds: 60 },
  maxBody: 0,
  params: z.object({ id: z.string().check(z.regex(/^[1-9]\d{0,8}$/)) }),
  reply: z.object({ avatarId: z.nullable(z.string()), name: z.string() }),
});
