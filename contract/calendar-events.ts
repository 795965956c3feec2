import * as z from "zod/mini";

import { event, userChannelPrefix } from "./event.ts";

// A separate file, since every page of a member loads one of these events. They carry no data: pages refetch it.

/** Doors or pictures have changed; only administrators receive it. */
export const managedCalendarChanged = event({
  channel: "private-admin-calendar",
  name: "calendar-changed",
  data: z.object({}),
});

/** An open door has changed: a member opened it, or its picture changed. Never sent for a door before its day. */
export const openDoorsChanged = event({
  channel: "private-christmas-calendar",
  name: "open-doors-changed",
  data: z.object({}),
});

/**
 * This member's doors or swap offers have changed. `message`: a German sentence about it; `null` without one, or if a notice says
 * it.
 */
export const ownDoorsChanged = event({
  channel: userChannelPrefix,
  name: "own-doors-changed",
  data: z.object({ message: z.nullable(z.string()) }),
});
