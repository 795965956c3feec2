import * as z from "zod/mini";

import { event, userChannelPrefix } from "./event.ts";

/** Something about the member's own calendar doors or offers has changed. `message`: a German sentence about it, `null` without one. */
export const ownDoorNews = event({
  channel: userChannelPrefix,
  name: "own-door-news",
  data: z.object({ message: z.nullable(z.string()) }),
});

/** A member has filled a door whose day has begun. */
export const lateDoorFilled = event({
  channel: "private-beercounter",
  name: "late-door-filled",
  data: z.object({ date: z.string() }),
});
