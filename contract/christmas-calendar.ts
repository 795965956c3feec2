import * as z from "zod/mini";

import { calendarNotice } from "./calendar-notices.ts";
import { endpoint } from "./endpoint.ts";
import { fixedMessage, readableText } from "./fields.ts";
import { field } from "./labels.ts";
import { megabytes } from "./sizes.ts";

/**
 * A calendar door. `url`: address of its picture, empty until the requesting member has opened the
 * door. The fields below `url` are missing until then.
 */
export const calendarImage = z.object({
  date: z.string(),
  url: z.string(),
  /** `true` if no picture was uploaded and `url` is a built-in drawing. */
  is_empty: z.optional(z.literal(true)),
  /**
   * Name of the member who has not filled the door. Missing if the door has no owner, or if the
   * owner is disabled or not visible.
   */
  late: z.optional(z.string()),
  /**
   * Name of the member who filled the door. Missing if an administrator filled the door, or if the
   * member hides the name, is disabled or hidden.
   */
  by: z.optional(z.string()),
  /** The text below the picture. */
  text: z.optional(z.string()),
  /** Number of members who have opened the door. */
  opened: z.optional(z.int()),
  /** Number of all members. */
  members: z.optional(z.int()),
});
export type CalendarImage = z.output<typeof calendarImage>;

/**
 * A door that the member may still fill or change: until its day begins, or until its year ends if
 * the door is empty.
 */
export const ownDoor = z.object({
  date: z.string(),
  /** URL of the member's picture; `null` without a picture. */
  picture: z.nullable(z.string()),
  /** The text below the picture; `null` without a text. */
  text: z._default(z.nullable(z.string()), null),
  /** `true` if other members do not see the name of the member who filled the door. */
  is_hidden: z._default(z.boolean(), false),
  /**
   * `true` if the member took down the door's picture within the last day, so that the picture can
   * be restored.
   */
  can_restore: z._default(z.boolean(), false),
});
export type OwnDoor = z.output<typeof ownDoor>;

export const openedImages = z.object({
  images: z.array(calendarImage),
  year: z.int(),
  /** All years with doors, newest first. */
  years: z.array(z.int()),
  /**
   * Today by the server's clock, `YYYY-MM-DD`. The browser's clock never decides which doors may be
   * opened.
   */
  today: z.string(),
  /** The requesting member's doors; the owners of other doors are secret. */
  own_doors: z.array(ownDoor),
  /** Doors of this year whose day has begun and that show a picture of the requesting member. */
  begun_doors: z._default(z.array(ownDoor), []),
  /**
   * Undismissed notices about administrators' changes of the requesting member's doors, oldest
   * first.
   */
  notices: z._default(z.array(calendarNotice), []),
});
export type OpenedImages = z.output<typeof openedImages>;

/** Returns the doors of the calendar of `?year=`, by default of the current calendar. */
export const getOpenedImages = endpoint("GET /api/christmas-calendar/opened-images", {
  who: "member",
  tokens: ["read"],
  query: z.object({ year: field("Jahr", z.optional(z.string().check(z.regex(/^\d{4}$/)))) }),
  reply: openedImages,
});

/** Opens the door of a day, `YYYY-MM-DD`. Idempotent. */
export const openDoor = endpoint("POST /api/christmas-calendar/open/:date", {
  who: "member",
  perMinute: 60,
  params: z.object({ date: field("Datum", z.string()) }),
  reply: calendarImage,
});

const ownDoorParams = z.object({ date: field("Datum", z.string()) });

/** Maximum length in characters of the text below a picture. */
export const maxDoorText = 80;

const doorText = readableText(maxDoorText);

/**
 * Puts a picture (JPEG or PNG) behind a door of the requesting member. Replaces the previous
 * picture and text.
 */
export const fillOwnDoor = endpoint("POST /api/christmas-calendar/own-doors/:date", {
  who: "member",
  perMinute: 10,
  params: ownDoorParams,
  file: { field: "picture", label: "Bild", maxBytes: megabytes(5) },
  form: z.object({
    text: field("Text", z.optional(doorText)),
    /** `"1"` hides the member's name. If missing, the setting of the replaced picture is kept. */
    is_hidden: field("Verrät niemand", z.optional(z.enum(["0", "1"]))),
  }),
  reply: fixedMessage("Dein Bild hängt."),
  status: 201,
});

/**
 * Changes the text of the member's picture until the day of the door begins. Hides or shows the
 * member's name at any time.
 */
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

/**
 * Restores the picture that the requesting member took down within the last day; refused if the
 * door is filled again.
 */
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

/**
 * Returns a picture to members who opened its door or uploaded the picture. `?size=phone` returns
 * half the width.
 */
export const getCalendarPicture = endpoint("GET /internal/images/calendar/:id", {
  who: "member",
  perMinute: 600,
  params: z.object({ id: z.string() }),
  query: z.object({ size: field("Größe", z.optional(z.enum(["phone", "screen"]))) }),
  media: "image/webp",
});

/** Maximum width of the pictures in pixels; narrower pictures are not enlarged. */
export const calendarPictureWidths = { phone: 640, screen: 1280 } as const;

/** Returns the day of the month of an ISO date, which is the number on the door. */
export function dayNumber(date: string): number {
  return Number(date.slice(8));
}
