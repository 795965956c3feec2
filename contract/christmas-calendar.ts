import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { field } from "./labels.ts";

/** A door: its day, and where its picture is once this member has opened it; "" before. */
export const calendarImage = z.object({ date: z.string(), url: z.string() });
export type CalendarImage = z.output<typeof calendarImage>;

export const openedImages = z.object({
  images: z.array(calendarImage),
  /** The year these doors belong to. */
  year: z.int(),
  /** Every year that has doors to show, the newest first. */
  years: z.array(z.int()),
  /** The day it is by the server's clock, `YYYY-MM-DD`: it alone decides which doors may open. */
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

/** A picture, for those who opened its door; `?size=phone` gives it half as wide. */
export const getCalendarPicture = endpoint("GET /internal/images/calendar/:id", {
  who: "member",
  perMinute: 600,
  params: z.object({ id: z.string() }),
  query: z.object({ size: field("Größe", z.optional(z.enum(["phone", "screen"]))) }),
  media: "image/webp",
});

/** How wide the pictures are, in pixels: at most, since small ones are not blown up. */
export const calendarPictureWidths = { phone: 640, screen: 1280 } as const;

/** The music of the calendar page; takes ranges. */
export const getCalendarAudio = endpoint("GET /internal/audio/1", {
  who: "member",
  perMinute: 60,
  media: "audio/mpeg",
});
