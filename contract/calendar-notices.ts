import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { rowId } from "./fields.ts";

/**
 * Tells a member in a German sentence that an administrator changed the member's calendar door.
 * `at`: time of the change in ISO 8601.
 */
export const calendarNotice = z.object({ id: z.int(), at: z.string(), text: z.string() });
export type CalendarNotice = z.output<typeof calendarNotice>;

/** Returns the notices that the requesting member has not dismissed, oldest first. */
export const getCalendarNotices = endpoint("GET /api/christmas-calendar/notices", {
  who: "member",
  reply: z.array(calendarNotice),
});

/** Dismisses a notice and all earlier notices. Idempotent. */
export const dismissCalendarNotices = endpoint("DELETE /api/christmas-calendar/notices/:id", {
  who: "member",
  params: z.object({ id: rowId }),
  status: 204,
});
