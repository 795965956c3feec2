import * as z from "zod/mini";

import { event, userChannelPrefix } from "./event.ts";

/**
 * A member has started a party; the member's name is missing if the member is not visible. All other
 * changes of parties publish `beercounterUpdated`. In a separate file, because every page of a
 * member loads this event.
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

/** Sent to members who are (`photo`: call for a photo of the table) or were (`ended`) at the party. */
export const partyTold = event({
  channel: userChannelPrefix,
  name: "party-told",
  data: z.object({ id: z.int(), name: z.string(), news: z.enum(["photo", "ended"]) }),
});
