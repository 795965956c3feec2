import * as z from "zod/mini";

import { event, userChannelPrefix } from "./event.ts";

// These events are in a separate file to keep the script of each page small: every page of a member
// loads one of them. They carry no data; pages refetch it.

/** Doors or pictures of the calendar have changed. Sent only to administrators. */
export const managedCalendarChanged = event({
  channel: "private-admin-calendar",
  name: "calendar-changed",
  data: z.object({}),
});

/** A door whose day has come has changed: a member opened it, or its picture changed. */
export const openDoorsChanged = event({
  channel: "private-christmas-calendar",
  name: "open-doors-changed",
  data: z.object({}),
});

/**
 * The doors or swap offers of the event's recipient have changed. `message`: a German sentence to
 * show; `null` without one, or if a calendar notice already describes the change.
 */
export const ownDoorsChanged = event({
  channel: userChannelPrefix,
  name: "own-doors-changed",
  data: z.object({ message: z.nullable(z.string()) }),
});
