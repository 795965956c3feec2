import * as z from "zod/mini";

import { event } from "./event.ts";

/**
 * A round number of beers, reached by the group or by the member who drank the beer. `userName` is
 * `null` if that member is not visible.
 */
export const milestone = z.object({
  kind: z.enum(["group", "member"]),
  count: z.int(),
  userName: z.nullable(z.string()),
  avatarId: z.nullable(z.string()),
});
export type Milestone = z.output<typeof milestone>;

/**
 * Sent once per milestone. Unlike `beercounterUpdated`, this event has no `version`: one beer can
 * reach two milestones, and pages would ignore the second event as a repetition of the first.
 */
export const milestoneReached = event({
  channel: "private-beercounter",
  name: "milestone",
  data: z.extend(milestone, { userId: z.nullable(z.int()) }),
});
