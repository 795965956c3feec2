import * as z from "zod/mini";

import { event, userChannelPrefix } from "./event.ts";

// In a file of their own, since every page of a member loads one of them. None tells what has changed: pages refetch it.

/** Doors or pictures were changed; only administrators hear it. */
export const managedCalendarChanged = event({
  channel: "private-admin-calendar",
  name: "calendar-changed",
  data: z.object({}),
});

/** An open door looks different: somebody has opened it, or its picture was changed. Never sent for a door before its day. */
export const openDoorsChanged = event({
  channel: "private-christmas-calendar",
  name: "open-doors-changed",
  data: z.object({}),
});

/**
 * The doors that this member fills, or offers to swap them, were changed. `message`: a German sentence about it; `null` if there is
 * none, or a notice says it.
 */
export const ownDoorsChanged = event({
  channel: userChannelPrefix,
  name: "own-doors-changed",
  data: z.object({ message: z.nullable(z.string()) }),
});
