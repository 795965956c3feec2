import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, rowId } from "./fields.ts";
import { field } from "./labels.ts";

const megabyte = 1024 * 1024;
const params = z.object({ date: z.string().check(z.regex(/^2[01]\d\d-12-(0[1-9]|1\d|2[0-4])$/)) });

/** Largest upload of a picture (JPEG or PNG), in bytes. */
export const maxCalendarPictureBytes = 15 * megabyte;

/**
 * The version of a door, which changes with its picture and its owner. Changes name the version that their page shows and are
 * refused if it is stale; without a version, only an empty door without an owner can be filled.
 */
const doorVersion = field("Stand", z.string().check(z.regex(/^[\w-]{16}$/)));

/** A year of the calendar with all its pictures; reading it opens no door. */
export const managedCalendar = z.object({
  year: z.int(),
  /** This year, the next one, and every year with pictures, newest first. */
  years: z.array(z.int()),
  /**
   * The 24 days in order. `opened`: number of members who opened the door; `owner`: the member who fills it, `null` for
   * administrators.
   */
  days: z.array(
    z.object({
      date: z.string(),
      version: z.string(),
      is_filled: z.boolean(),
      /**
       * URL of the picture; `null` without one, and for a member's picture before its day until this administrator reveals it.
       */
      preview: z.nullable(z.string()),
      /** The line below the picture; `null` without one, and without a preview. */
      text: z.nullable(z.string()),
      /** `true` if a picture taken down by an administrator can be restored. */
      can_restore: z.boolean(),
      opened: z.int(),
      owner: z.nullable(z.object({ id: z.int(), name: z.string(), avatarId: z.nullable(z.string()) })),
    }),
  ),
  /** The numbers of doors a lottery would deal, and of members it would deal them to. */
  free_doors: z.int(),
  members: z.int(),
  /** `null` while the built-in carol is played. */
  audio: z.nullable(z.object({ media: z.string(), size: z.int() })),
});
export type ManagedCalendar = z.output<typeof managedCalendar>;

/** The calendar of `?year=`; default: the year whose doors open next. */
export const getManagedCalendar = endpoint("GET /api/admin/calendar", {
  who: ["admin"],
  query: z.object({ year: field("Jahr", z.optional(z.string().check(z.regex(/^2[01]\d\d$/)))) }),
  reply: managedCalendar,
});

/**
 * The picture in phone size for administrators, even before its day. 404 for another member's picture before its day, until this
 * administrator reveals it.
 */
export const getCalendarPreview = endpoint("GET /internal/images/calendar-preview/:id", {
  who: ["admin"],
  perMinute: 600,
  params: z.object({ id: z.string().check(z.regex(/^[\w-]{22}$/)) }),
  media: "image/webp",
});

/** Takes a door back from its member, who is notified; a picture is kept. */
export const takeCalendarDoorBack = endpoint("DELETE /api/admin/calendar/doors/:date", {
  who: ["admin"],
  perMinute: 120,
  params,
  query: z.object({ version: z.optional(doorVersion) }),
  reply: fixedMessage("Das Türchen ist wieder frei."),
});

/**
 * Puts a picture behind a door and replaces the previous one. A member's door needs `takes_over` with the id of that member, who
 * is notified and loses the door.
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

/** Swaps the pictures of two doors together with the members who fill them, who are notified. */
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

/** Takes a picture down; its owner is notified. */
export const deleteCalendarPicture = endpoint("DELETE /api/admin/calendar/pictures/:date", {
  who: ["admin"],
  perMinute: 120,
  params,
  query: z.object({ version: z.optional(doorVersion) }),
  reply: fixedMessage("Bild abgenommen."),
});

/** Restores the picture that an administrator took down within the last day, if the door is still empty. */
export const restoreCalendarPicture = endpoint("POST /api/admin/calendar/pictures/:date/restore", {
  who: ["admin"],
  perMinute: 120,
  params,
  reply: fixedMessage("Das Bild hängt wieder."),
});

/** Shows this administrator a member's picture before its day. The member is notified, and it is audited. */
export const revealCalendarPicture = endpoint("POST /api/admin/calendar/pictures/:date/reveal", {
  who: ["admin"],
  perMinute: 120,
  params,
  body: z.object({ version: doorVersion }),
  reply: z.object({ preview: z.string() }),
});
