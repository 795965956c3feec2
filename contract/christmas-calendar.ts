import * as z from "zod/mini";

import { calendarNotice } from "./calendar-notices.ts";
import { endpoint } from "./endpoint.ts";
import { fixedMessage, readableText } from "./fields.ts";
import { field } from "./labels.ts";

/** A door with its day and the URL of its picture, "" until this member has opened it. Only open doors have the other fields. */
export const calendarImage = z.object({
  date: z.string(),
  url: z.string(),
  /** `true` if the door has no picture: `url` is a drawing. */
  is_empty: z.optional(z.literal(true)),
  /** The name of the member who has not filled it; missing without one, or if the member hides, is disabled or paused. */
  late: z.optional(z.string()),
  /**
   * The name of the member who filled the door; missing if an administrator did, or if the member hides it, is disabled or
   * paused.
   */
  by: z.optional(z.string()),
  /** The member's line below the picture. */
  text: z.optional(z.string()),
  /** The numbers of members who have opened it, and of all members. */
  opened: z.optional(z.int()),
  members: z.optional(z.int()),
});
export type CalendarImage = z.output<typeof calendarImage>;

/** An own door that the member may still fill or change: before its day, or while it is empty in its year. */
export const ownDoor = z.object({
  date: z.string(),
  /** URL of the member's picture; `null` without one. */
  picture: z.nullable(z.string()),
  /** The line below the picture; `null` without one. */
  text: z._default(z.nullable(z.string()), null),
  /** `true` if the member's name is hidden from the others. */
  is_hidden: z._default(z.boolean(), false),
  /** `true` if the picture that the member took down can be restored. */
  can_restore: z._default(z.boolean(), false),
});
export type OwnDoor = z.output<typeof ownDoor>;

export const openedImages = z.object({
  images: z.array(calendarImage),
  year: z.int(),
  /** Every year with doors, newest first. */
  years: z.array(z.int()),
  /** Today by the server's clock, `YYYY-MM-DD`; it alone decides which doors may be opened. */
  today: z.string(),
  /** This member's own doors; other members' doors are secret. */
  own_doors: z.array(ownDoor),
  /** Doors of this year whose day has begun and that show a picture of this member. */
  begun_doors: z._default(z.array(ownDoor), []),
  /** Undismissed notices about administrators' changes of this member's doors, oldest first. */
  notices: z._default(z.array(calendarNotice), []),
});
export type OpenedImages = z.output<typeof openedImages>;

/** The doors of the current calendar, or of `?year=`. */
export const getOpenedImages = endpoint("GET /api/christmas-calendar/opened-images", {
  who: "member",
  tokens: ["read"],
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

/** Maximum length of the line below a picture. */
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
    /** Default: as hidden as the picture it replaces. */
    is_hidden: field("Verrät niemand", z.optional(z.enum(["0", "1"]))),
  }),
  reply: fixedMessage("Dein Bild hängt."),
  status: 201,
});

/** Changes the text of the member's picture until its day begins, or hides the member's name at any time. */
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

/** Restores the picture that the member took down within the last day, if the door is still empty. */
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

/** A picture for members who opened its door or uploaded it; half as wide with `?size=phone`. */
export const getCalendarPicture = endpoint("GET /internal/images/calendar/:id", {
  who: "member",
  perMinute: 600,
  params: z.object({ id: z.string() }),
  query: z.object({ size: field("Größe", z.optional(z.enum(["phone", "screen"]))) }),
  media: "image/webp",
});

/** Maximum width of the pictures in pixels; small ones are not enlarged. */
export const calendarPictureWidths = { phone: 640, screen: 1280 } as const;

/** Returns the number on a door, the day of the month in an ISO date. */
export function dayNumber(date: string): number {
  return Number(date.slice(8));
}
