import * as z from "zod/mini";

import { event } from "./event.ts";

/**
 * A member starts a party; a paused one is not named. All other changes of parties are changes of the counter (`beercounterUpdated`). In a file of its own, since
 * every page of a member loads it.
 */
export const partyStarted = event({
  channel: "private-beercounter",
  name: "party-started",
  data: z.object({
    id: z.int(),
    name: z.string(),
    userId: z.nullable(z.int()),
    userName: z.nullable(z.string()),
    avatarId: z.nullable(z.string()),
  }),
});
