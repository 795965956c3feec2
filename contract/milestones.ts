import * as z from "zod/mini";

import { event } from "./event.ts";

/** A round number of beers, of the group or of the member who drank the last one. */
export const milestone = z.object({
  kind: z.enum(["group", "member"]),
  count: z.int(),
  userName: z.string(),
  avatarId: z.nullable(z.string()),
});

/** A milestone was reached; sent once for each. Without a version, because one beer can be two of them. */
export const milestoneReached = event({
  channel: "private-beercounter",
  name: "milestone",
  data: z.extend(milestone, { userId: z.int() }),
});
