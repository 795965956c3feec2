import * as z from "zod/mini";

import { calendarNotice } from "./calendar-notices.ts";
import { endpoint } from "./endpoint.ts";
import { fixedMessage, readableText } from "./fields.ts";
import { field } from "./labels.ts";

/** A door: its day, and the address of its picture, "" until this member has opened it. Only an open one has the rest. */
export const calendarImage = z.object({
  date: z.string(),
  url: z.string(),
  /** No member has filled the door: `url` is a drawing. */
  is_empty: z.optional(z.literal(true)),
  /** The name of the member who has not filled it; missing without one, or if the member hides, is disabled or paused. */
  late: z.optional(z.string()),
  /** The name of the member who filled the door; missing where an administrator did, or the member hides it, is disabled or paused. */
  by: z.optional(z.string()),
  /** The line that the member has written below the picture. */
  text: z.optional(z.string()),
  /** How many of the members have opened it, and how many members there are. */
  opened: z.optional(z.int()),
  members: z.optional(z.int()),
});
export type CalendarImage = z.output<typeof calendarImage>;

/**
 * A door that this member may still fill or change, before its day and while it is empty until its year ends, with what only this
 * member knows of it.
 */
export const ownDoor = z.object({
  date: z.string(),
  /** URL of the member's picture; `null` without one. */
  picture: z.nullable(z.string()),
  /** The line below the picture; `null` without one. */
  text: z._default(z.nullable(z.string()), null),
  /** `true` if the others are not told whose picture it is. */
  is_hidden: z._default(z.boolean(), false),
  /** `true` if the picture that the member has taken down can be hung again. */
  can_restore: z._default(z.boolean(), false),
});
export type OwnDoor = z.output<typeof ownDoor>;

export const openedImages = z.object({
  images: z.array(calendarImage),
  /** The year of these doors. */
  year: z.int(),
  /** Every year with doors, the newest first. */
  years: z.array(z.int()),
  /** Today by the server's clock, `YYYY-MM-DD`, which alone decides which doors may be opened. */
  today: z.string(),
  /** This member's own doors; those of others are never told. */
  own_doors: z.array(ownDoor),
  /** Doors of the shown year whose day has begun and that show a picture of this member. */
  begun_doors: z._default(z.array(ownDoor), []),
  /** Administrators' changes of this member's doors that the member has not dismissed, the oldest first. */
  notices: z._default(z.array(calendarNotice), []),
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
  reply: calendarImage,
});

const ownDoorParams = z.object({ date: field("Datum", z.string()) });

/** Characters of the line below a picture. */
export const maxDoorText = 80;

const doorText = readableText(maxDoorText);

/** Puts a picture (JPEG or PNG) behind a door of the member; replaces the previous picture and its text. */
export const fillOwnDoor = endpoint("POST /api/christmas-calendar/own-doors/:date", {
  who: "member",
  perMinute: 10,
  params: ownDoorParams,
  file: { field: "picture", label: "Bild", maxBytes: 5 * 1024 * 1024 },
  form: z.object({
    text: field("Text", z.optional(doorText)),
    /** Without it a picture is as hidden as the one it replaces. */
    is_hidden: field("Verrät niemand", z.optional(z.enum(["0", "1"]))),
  }),
  reply: fixedMessage("Dein Bild hängt."),
  status: 201,
});

/** Changes the text of the member's picture, until its day begins, or hides the member's name, at any time. */
export const changeOwnDoor = endpoint("POST /api/christmas-calendar/own-doors/:date/details", {
  who: "member",
  perMinute: 60,
  params: ownDoorParams,
  body: z.object({
    text: field("Text", z.optional(z.nullable(doorText))),
    is_hidden: field("Verrät niemand", z.optional(z.boolean())),
  }),
  reply: fixedMessage("Gespeichert."),
});

/** Hangs the picture again that the member has taken down within the last day, if the door is still empty. */
export const restoreOwnDoor = endpoint("POST /api/christmas-calendar/own-doors/:date/restore", {
  who: "member",
  perMinute: 60,
  params: ownDoorParams,
  reply: fixedMessage("Dein Bild hängt wieder."),
});

export const emptyOwnDoor = endpoint("DELETE /api/christmas-calendar/own-doors/:date", {
  who: "member",
  perMinute: 60,
  params: ownDoorParams,
  reply: fixedMessage("Dein Bild ist abgenommen."),
});

/** A picture, for members who opened its door or put it there; half as wide with `?size=phone`. */
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
