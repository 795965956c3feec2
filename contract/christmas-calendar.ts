import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

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
export const getOpenedImages = endpoint({
  method: "GET",
  path: "/api/christmas-calendar/opened-images",
  who: "member",
  rate: { per: "member", limit: 120, seconds: 60 },
  maxBody: 0,
  query: z.object({ year: z.optional(z.string().check(z.regex(/^\d{4}$/))) }),
  reply: openedImages,
});

/** Opens the door of a day, `YYYY-MM-DD`; opening it again changes nothing. */
export const openDoor = endpoint({
  method: "POST",
  path: "/api/christmas-calendar/open/:date",
  who: "member",
  rate: { per: "member", limit: 60, seconds: 60 },
  maxBody: 1024,
  accepts: "ignored",
  params: z.object({ date: z.string() }),
  reply: z.object({ url: z.string() }),
});

/** A picture, for those who opened its door; `?size=phone` gives it half as wide. */
export const getCalendarPicture = endpoint({
  method: "GET",
  path: "/internal/images/calendar/:id",
  who: "member",
  rate: { per: "member", limit: 600, seconds: 60 },
  maxBody: 0,
  params: z.object({ id: z.string() }),
  query: z.object({ size: z.optional(z.enum(["phone", "screen"])) }),
  media: "image/webp",
});

/** How wide the pictures are, in pixels: at most, since small ones are not blown up. */
export const calendarPictureWidths = { phone: 640, screen: 1280 } as const;

/** The music of the calendar page; takes ranges. */
export const getCalendarAudio = endpoint({
  method: "GET",
  path: "/internal/audio/1",
  who: "member",
  rate: { per: "member", limit: 60, seconds: 60 },
  maxBody: 0,
  media: "audio/mpeg",
});
