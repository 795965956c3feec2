import { minutes } from "#server/time.ts";

const dayFormat = cacheByTimeZone({ year: "numeric", month: "2-digit", day: "2-digit" });
const timeFormat = cacheByTimeZone({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** Milliseconds of a quarter of an hour: in every time zone, days begin at a full quarter. */
const quarterHour = minutes(15);
let last = { quarter: Number.NaN, timeZone: "", day: "" };

/** Returns the day (`YYYY-MM-DD`) of a time (epoch ms) in `timeZone`. Caches the result for a quarter of an hour. */
export function localDay(at: number, timeZone: string): string {
  const quarter = Math.floor(at / quarterHour);
  if (quarter !== last.quarter || timeZone !== last.timeZone)
    last = { quarter, timeZone, day: dayFormat(timeZone).format(at) };
  return last.day;
}

/** Returns the first millisecond of the next day in `timeZone` after a time (epoch ms). */
export function startOfNextDay(at: number, timeZone: string): number {
  const day = localDay(at, timeZone);
  let next = (Math.floor(at / quarterHour) + 1) * quarterHour;
  while (localDay(next, timeZone) === day) next += quarterHour;
  return next;
}

/** Returns the time of day (`HH:MM`) of a time (epoch ms) in `timeZone`. */
export function localTime(at: number, timeZone: string): string {
  return timeFormat(timeZone).format(at);
}

/** Converts a day (`YYYY-MM-DD`) and a time of day (`HH:MM` or `HH:MM:SS`) in `timeZone` to epoch milliseconds. */
export function epochOf(day: string, time: string, timeZone: string): number {
  const shown = Date.parse(`${day}T${time}Z`);
  // Corrects the guess near a change of the offset, e.g. to summer time.
  const guess = shown - offsetAt(shown, timeZone);
  return shown - offsetAt(guess, timeZone);
}

/** Returns the offset of `timeZone` from UTC in milliseconds at a time (epoch ms); positive east of UTC. */
function offsetAt(at: number, timeZone: string): number {
  const quarter = Math.floor(at / quarterHour) * quarterHour;
  return Date.parse(`${localDay(quarter, timeZone)}T${localTime(quarter, timeZone)}Z`) - quarter;
}

/**
 * Returns a function that caches a format for each time zone, because creating a format is far
 * slower than using it.
 */
function cacheByTimeZone(parts: Intl.DateTimeFormatOptions): (timeZone: string) => Intl.DateTimeFormat {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (timeZone) => {
    let format = formats.get(timeZone);
    if (!format) {
      // Uses the Swedish locale, whose dates follow ISO 8601 (`YYYY-MM-DD`).
      format = new Intl.DateTimeFormat("sv-SE", { timeZone, ...parts });
      formats.set(timeZone, format);
    }
    return format;
  };
}
