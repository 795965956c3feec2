import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, rowId } from "./fields.ts";
import { field } from "./labels.ts";

const megabyte = 1024 * 1024;
const params = z.object({ date: z.string().check(z.regex(/^2[01]\d\d-12-(0[1-9]|1\d|2[0-4])$/)) });

/** A picture is JPEG or PNG; music is MP3, M4A or Ogg. */
export const calendarFileLimits = { picture: 15 * megabyte, audio: 20 * megabyte } as const;

/**
 * Version of a door: another one with every other picture and every other owner. A request that changes a door says which version its
 * page shows, and is refused if there is a newer one; without a version, only an empty door that belongs to nobody can be filled.
 */
const doorVersion = field("Stand", z.string().check(z.regex(/^[\w-]{16}$/)));

/** A year of the calendar with all its pictures; reading it opens no door. */
export const managedCalendar = z.object({
  year: z.int(),
  /** Every year that has pictures, this one and the next, the newest first. */
  years: z.array(z.int()),
  /**
   * The 24 days in order. `opened`: how many members opened the door; `owner`: the member who fills it, null where administrators do.
   */
  days: z.array(
    z.object({
      date: z.string(),
      version: z.string(),
      is_filled: z.boolean(),
      /** URL of the picture; `null` without one, and for a member's picture before its day until this administrator has revealed it. */
      preview: z.nullable(z.string()),
      /** The line below the picture; `null` without one, and as long as there is no preview. */
      text: z.nullable(z.string()),
      /** `true` if the picture that an administrator has taken down can be hung again. */
      can_restore: z.boolean(),
      opened: z.int(),
      owner: z.nullable(z.object({ id: z.int(), name: z.string(), avatarId: z.nullable(z.string()) })),
    }),
  ),
  /** How many doors a lottery would deal, and to how many members. */
  free_doors: z.int(),
  members: z.int(),
  /** Null while the carol that comes with the product is played. */
  audio: z.nullable(z.object({ media: z.string(), size: z.int() })),
});
export type ManagedCalendar = z.output<typeof managedCalendar>;

/** The calendar of `?year=`, else of the year whose doors open next. */
export const getManagedCalendar = endpoint("GET /api/admin/calendar", {
  who: ["admin"],
  query: z.object({ year: field("Jahr", z.optional(z.string().check(z.regex(/^2[01]\d\d$/)))) }),
  reply: managedCalendar,
});

/**
 * The picture in the size for phones, for administrators, also before its day. 404 for another member's picture before its day, unless
 * this administrator has revealed it.
 */
export const getCalendarPreview = endpoint("GET /internal/images/calendar-preview/:id", {
  who: ["admin"],
  perMinute: 600,
  params: z.object({ id: z.string().check(z.regex(/^[\w-]{22}$/)) }),
  media: "image/webp",
});

/** Takes a door back from its member, who is told; a picture stays. */
export const takeCalendarDoorBack = endpoint("DELETE /api/admin/calendar/doors/:date", {
  who: ["admin"],
  perMinute: 120,
  params,
  query: z.object({ version: z.optional(doorVersion) }),
  reply: fixedMessage("Das Türchen ist wieder frei."),
});

/**
 * Puts a picture behind a door and replaces the one before. Another member's door needs `takes_over` with the id of that member, who
 * is told and does not fill it any more.
 */
export const setCalendarPicture = endpoint("POST /api/admin/calendar/pictures/:date", {
  who: ["admin"],
  perMinute: 120,
  params,
  query: z.object({ version: z.optional(doorVersion), takes_over: field("Mitglied", z.optional(rowId)) }),
  file: { field: "picture", label: "Bild", maxBytes: calendarFileLimits.picture },
  reply: z.extend(fixedMessage("Bild aufgehängt."), { date: z.string(), preview: z.string() }),
  status: 201,
});

/** Moves the picture of `date` to another door; a picture there takes its place. Each goes with the member who fills it, and who is told. */
export const moveCalendarPicture = endpoint("POST /api/admin/calendar/pictures/:date/move", {
  who: ["admin"],
  perMinute: 120,
  params,
  body: z.object({
    to: field("Tag", params.shape.date),
    version: field("Stand", z.optional(doorVersion)),
    to_version: field("Stand", z.optional(doorVersion)),
  }),
  reply: fixedMessage("Bilder getauscht."),
});

/** Takes a picture down; its owner is told. */
export const deleteCalendarPicture = endpoint("DELETE /api/admin/calendar/pictures/:date", {
  who: ["admin"],
  perMinute: 120,
  params,
  query: z.object({ version: z.optional(doorVersion) }),
  reply: fixedMessage("Bild abgenommen."),
});

/** Hangs the picture again that an administrator has taken down within the last day, if the door is still empty. */
export const restoreCalendarPicture = endpoint("POST /api/admin/calendar/pictures/:date/restore", {
  who: ["admin"],
  perMinute: 120,
  params,
  reply: fixedMessage("Das Bild hängt wieder."),
});

/** Shows this administrator a member's picture before its day. The member is told, and it is in the audit log. */
export const revealCalendarPicture = endpoint("POST /api/admin/calendar/pictures/:date/reveal", {
  who: ["admin"],
  perMinute: 120,
  params,
  body: z.object({ version: doorVersion }),
  reply: z.object({ preview: z.string() }),
});

/** Plays this file on the calendar page from now on. */
export const setCalendarAudio = endpoint("POST /api/admin/calendar/audio", {
  who: ["admin"],
  perMinute: 120,
  file: { field: "audio", label: "Musik", maxBytes: calendarFileLimits.audio },
  reply: fixedMessage("Musik geändert."),
  status: 201,
});

/** Plays the carol that comes with the product again. */
export const deleteCalendarAudio = endpoint("DELETE /api/admin/calendar/audio", {
  who: ["admin"],
  perMinute: 120,
  reply: fixedMessage("Es spielt wieder unsere Musik."),
});
