import * as z from "zod/mini";

import { event } from "./event.ts";

/** A round number of beers: the group's, or that of the member who drank it. */
export const milestone = z.object({
  kind: z.enum(["group", "member"]),
  count: z.int(),
  userName: z.string(),
  avatarId: z.nullable(z.string()),
});

/** Sent once per milestone. Without a version, because one beer can reach two milestones. */
export const milestoneReached = event({
  channel: "private-beercounter",
  name: "milestone",
  data: z.extend(milestone, { userId: z.int() }),
});
