import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { field } from "./labels.ts";

/** A door: its day, and the address of its picture, "" until this member has opened it. */
export const calendarImage = z.object({ date: z.string(), url: z.string() });
export type CalendarImage = z.output<typeof calendarImage>;

export const openedImages = z.object({
  images: z.array(calendarImage),
  /** The year of these doors. */
  year: z.int(),
  /** Every year with doors, the newest first. */
  years: z.array(z.int()),
  /** Today by the server's clock, `YYYY-MM-DD`, which alone decides which doors may be opened. */
  today: z.string(),
});
export type OpenedImages = z.output<typeof openedImages>;

/** The doors of the current calendar, or of `?year=`. */
export const getOpenedImages = endpoint("GET /api/christmas-calendar/opened-images", {
  who: "member",
  query: z.object({ year: field("Jahr", z.optional(z.string().check(z.regex(/^\d{4}$/)))) }),
  reply: openedImages,
});

/** Opens the door of a day, `YYYY-MM-DD`; opening it again changes nothing. */
export const openDoor = endpoint("POST /api/christmas-calendar/open/:date", {
  who: "member",
  perMinute: 60,
  params: z.object({ date: field("Datum", z.string()) }),
  reply: z.object({ url: z.string() }),
});

/** A picture, for members who opened its door; half as wide with `?size=phone`. */
export const getCalendarPicture = endpoint("GET /internal/images/calendar/:id", {
  who: "member",
  perMinute: 600,
  params: z.object({ id: z.string() }),
  query: z.object({ size: field("Größe", z.optional(z.enum(["phone", "screen"]))) }),
  media: "image/webp",
});

/** The greatest width of the pictures in pixels; small ones are not enlarged. */
export const calendarPictureWidths = { phone: 640, screen: 1280 } as const;

/** The music of the calendar page; takes ranges. */
export const getCalendarAudio = endpoint("GET /internal/audio/1", {
  who: "member",
  perMinute: 60,
  media: "audio/mpeg",
});
