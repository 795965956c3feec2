import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { listedMember } from "./members.ts";
import { megabytes } from "./sizes.ts";

const params = z.object({ date: z.string().check(z.regex(/^2[01]\d\d-12-(0[1-9]|1\d|2[0-4])$/)) });

/** Maximum upload size of a picture (JPEG or PNG), in bytes. */
export const maxCalendarPictureBytes = megabytes(15);

/**
 * The version of a door, which changes with its picture or owner. A request with a stale version is
 * refused. A request without a version can only fill an empty door without an owner.
 */
const doorVersion = field("Stand", z.string().check(z.regex(/^[\w-]{16}$/)));

/**
 * A year of the calendar with all its pictures, for administrators. Reading this reply does not
 * open any door.
 */
export const managedCalendar = z.object({
  year: z.int(),
  /** The current year, the next year, and every year with pictures, newest first. */
  years: z.array(z.int()),
  /**
   * The 24 days in order. `opened`: number of members who opened the door; `owner`: the member who
   * fills the door, `null` if administrators do, and of a secret door.
   */
  days: z.array(
    z.object({
      date: z.string(),
      version: z.string(),
      is_filled: z.boolean(),
      /**
       * URL of the picture; `null` without a picture. Also `null` for a member's picture before the
       * day of the door, until the requesting administrator reveals the picture.
       */
      preview: z.nullable(z.string()),
      /** The text below the picture; `null` without a text, and while `preview` is `null`. */
      text: z.nullable(z.string()),
      /**
       * `true` if an administrator took down the door's picture within the last day, so that the
       * picture can be restored.
       */
      can_restore: z.boolean(),
      opened: z.int(),
      owner: z.nullable(listedMember),
      /** `true` if another member fills the door, whom a surprised administrator sees on its day. */
      is_secret: z._default(z.boolean(), false),
    }),
  ),
  /** `true` unless the requesting administrator wants to see who drew which door. */
  is_surprised: z._default(z.boolean(), false),
  /** Number of doors that a lottery would assign. */
  free_doors: z.int(),
  /** Number of members who would take part in a lottery. */
  members: z.int(),
  /** Uploaded music: media type and size in bytes; `null` while the built-in carol is played. */
  audio: z.nullable(z.object({ media: z.string(), size: z.int() })),
});
export type ManagedCalendar = z.output<typeof managedCalendar>;

/** Returns the calendar of `?year=`, by default of the year whose doors open next. */
export const getManagedCalendar = endpoint("GET /api/admin/calendar", {
  who: ["admin"],
  query: z.object({ year: field("Jahr", z.optional(z.string().check(z.regex(/^2[01]\d\d$/)))) }),
  reply: managedCalendar,
});

/** Chooses if the requesting administrator sees who drew which door before its day. */
export const saveCalendarSurprise = endpoint("POST /api/admin/calendar/surprise", {
  who: ["admin"],
  perMinute: 60,
  body: z.object({ is_surprised: field("Überraschung", z.boolean()) }),
  reply: fixedMessage("Gespeichert."),
});

/**
 * Returns a door's picture in phone size to administrators, even before the day of the door. A
 * member's picture is a 404 before that day, until the requesting administrator reveals it.
 */
export const getCalendarPreview = endpoint("GET /internal/images/calendar-preview/:id", {
  who: ["admin"],
  perMinute: 600,
  params: z.object({ id: z.string().check(z.regex(/^[\w-]{22}$/)) }),
  media: "image/webp",
});

/** Removes the owner of a door and notifies that member. The door's picture is kept. */
export const takeCalendarDoorBack = endpoint("DELETE /api/admin/calendar/doors/:date", {
  who: ["admin"],
  perMinute: 120,
  params,
  query: z.object({ version: z.optional(doorVersion) }),
  reply: fixedMessage("Das Türchen ist wieder frei."),
});

/**
 * Puts a picture behind a door and replaces the previous one. If the door belongs to a member,
 * `takes_over` must contain the id of this member, who loses the door and is notified.
 */
export const setCalendarPicture = endpoint("POST /api/admin/calendar/pictures/:date", {
  who: ["admin"],
  perMinute: 120,
  params,
  query: z.object({ version: z.optional(doorVersion), takes_over: field("Mitglied", z.optional(rowId)) }),
  file: { field: "picture", label: "Bild", maxBytes: maxCalendarPictureBytes },
  reply: z.extend(fixedMessage("Bild aufgehängt."), { date: z.string(), preview: z.string() }),
  status: 201,
});

/** Swaps two doors' pictures together with the doors' owners, who are notified. */
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

/** Takes a picture down and notifies the door's owner. */
export const deleteCalendarPicture = endpoint("DELETE /api/admin/calendar/pictures/:date", {
  who: ["admin"],
  perMinute: 120,
  params,
  query: z.object({ version: z.optional(doorVersion) }),
  reply: fixedMessage("Bild abgenommen."),
});

/**
 * Restores the picture that an administrator took down within the last day; refused if the door is
 * filled again.
 */
export const restoreCalendarPicture = endpoint("POST /api/admin/calendar/pictures/:date/restore", {
  who: ["admin"],
  perMinute: 120,
  params,
  reply: fixedMessage("Das Bild hängt wieder."),
});

/**
 * Shows a member's picture to the requesting administrator only, before the day of the door. The
 * reveal is audited, and the member is notified.
 */
export const revealCalendarPicture = endpoint("POST /api/admin/calendar/pictures/:date/reveal", {
  who: ["admin"],
  perMinute: 120,
  params,
  body: z.object({ version: doorVersion }),
  reply: z.object({ preview: z.string() }),
});
