import * as z from "zod/mini";

import { event } from "./event.ts";

/** A round number of beers, of the whole group or of the one member who drank it. */
export const milestone = z.object({
  kind: z.enum(["group", "member"]),
  count: z.int(),
  userName: z.string(),
  avatarId: z.nullable(z.string()),
});

/** A milestone was just reached; each is told once. It has no version: one beer can be two of them. */
export const milestoneReached = event({
  channel: "private-beercounter",
  name: "milestone",
  data: z.extend(milestone, { userId: z.int() }),
});
