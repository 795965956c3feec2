import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

const minute = 60;
const megabyte = 1024 * 1024;
const message = z.object({ message: z.string() });
const params = z.object({ date: z.string().check(z.regex(/^2[01]\d\d-12-(0[1-9]|1\d|2[0-4])$/)) });
const change = { who: ["admin"], rate: { per: "member", limit: 120, seconds: minute } } as const;

/** A picture is JPEG or PNG; music is MP3, M4A or Ogg. */
export const calendarFileLimits = { picture: 15 * megabyte, audio: 20 * megabyte } as const;
/** What the form around a file may take beside it. */
const formOverheadBytes = 16 * 1024;

/** A year of the calendar with everything behind its doors; looking at it opens none. */
export const managedCalendar = z.object({
  year: z.int(),
  /** Every year that has pictures, this one and the next, the newest first. */
  years: z.array(z.int()),
  /** The 24 days in order. `preview` is a picture's address, null where none hangs; `opened`: how many members opened it. */
  days: z.array(z.object({ date: z.string(), preview: z.nullable(z.string()), opened: z.int() })),
  /** Null while the carols play that come with the product. */
  audio: z.nullable(z.object({ media: z.string(), size: z.int() })),
});
export type ManagedCalendar = z.output<typeof managedCalendar>;

/** The calendar of `?year=`, else of the year whose doors open next. */
export const getManagedCalendar = endpoint({
  method: "GET",
  path: "/api/admin/calendar",
  who: ["admin"],
  rate: { per: "member", limit: 120, seconds: minute },
  maxBody: 0,
  query: z.object({ year: z.optional(z.string().check(z.regex(/^2[01]\d\d$/))) }),
  reply: managedCalendar,
});

/** The picture as phones get it, for administrators, whether its day has come or not. */
export const getCalendarPreview = endpoint({
  method: "GET",
  path: "/internal/images/calendar-preview/:id",
  who: ["admin"],
  rate: { per: "member", limit: 600, seconds: minute },
  maxBody: 0,
  params: z.object({ id: z.string().check(z.regex(/^[\w-]{22}$/)) }),
  media: "image/webp",
});

/** Hangs a picture behind a door, in the place of what was there. */
export const setCalendarPicture = endpoint({
  ...change,
  method: "POST",
  path: "/api/admin/calendar/pictures/:date",
  params,
  maxBody: calendarFileLimits.picture + formOverheadBytes,
  accepts: "multipart",
  fileField: "picture",
  maxFile: calendarFileLimits.picture,
  reply: z.object({ message: z.string(), date: z.string(), preview: z.string() }),
  status: 201,
});

/** Moves the picture of `date` behind another door; what hangs there comes back in exchange. */
export const moveCalendarPicture = endpoint({
  ...change,
  method: "POST",
  path: "/api/admin/calendar/pictures/:date/move",
  params,
  maxBody: 1024,
  body: z.object({ to: params.shape.date }),
  reply: message,
});

export const deleteCalendarPicture = endpoint({
  ...change,
  method: "DELETE",
  path: "/api/admin/calendar/pictures/:date",
  params,
  maxBody: 1024,
  accepts: "ignored",
  reply: message,
});

/** Plays this file on the calendar page from now on. */
export const setCalendarAudio = endpoint({
  ...change,
  method: "POST",
  path: "/api/admin/calendar/audio",
  maxBody: calendarFileLimits.audio + formOverheadBytes,
  accepts: "multipart",
  fileField: "audio",
  maxFile: calendarFileLimits.audio,
  reply: message,
  status: 201,
});

/** Back to the carols that come with the product. */
export const deleteCalendarAudio = endpoint({
  ...change,
  method: "DELETE",
  path: "/api/admin/calendar/audio",
  maxBody: 1024,
  accepts: "ignored",
  reply: message,
});
