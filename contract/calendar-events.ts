import * as z from "zod/mini";

import { event, userChannelPrefix } from "./event.ts";

// In a separate file, because every page of a member loads one of these events, and should not load
// the rest of the calendar. The events do not contain doors: pages refetch the calendar.

/** Doors or pictures of the calendar have changed. Sent only to administrators. */
export const managedCalendarChanged = event({
  channel: "private-admin-calendar",
  name: "calendar-changed",
  data: z.object({}),
});

/**
 * A calendar door whose day has begun has changed: a member opened the door, or its picture
 * changed.
 */
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
