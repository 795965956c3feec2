import * as z from "zod/mini";

import { event } from "./event.ts";

/**
 * A member has started a party; paused members are not named. All other changes of parties publish `beercounterUpdated`. A
 * separate file, since every page of a member loads it.
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
