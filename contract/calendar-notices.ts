import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { rowId } from "./fields.ts";

/** An administrator's change of a door that this member fills: time (ISO 8601) and German sentence. */
export const calendarNotice = z.object({ id: z.int(), at: z.string(), text: z.string() });
export type CalendarNotice = z.output<typeof calendarNotice>;

/** The notices that the member has not dismissed, oldest first. */
export const getCalendarNotices = endpoint("GET /api/christmas-calendar/notices", {
  who: "member",
  reply: z.array(calendarNotice),
});

/** Dismisses a notice and all before it. Idempotent. */
export const dismissCalendarNotices = endpoint("DELETE /api/christmas-calendar/notices/:id", {
  who: "member",
  params: z.object({ id: rowId }),
  status: 204,
});
