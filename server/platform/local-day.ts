import { minutes } from "#server/time.ts";

const dayFormat = cacheByTimeZone({ year: "numeric", month: "2-digit", day: "2-digit" });
const timeFormat = cacheByTimeZone({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** In every time zone, days begin at a full quarter of an hour. */
const quarterHour = minutes(15);
let last = { quarter: Number.NaN, timeZone: "", day: "" };

/** Formats epoch ms as `YYYY-MM-DD`. Caches the result for a quarter of an hour. */
export function localDay(at: number, timeZone: string): string {
  const quarter = Math.floor(at / quarterHour);
  if (quarter !== last.quarter || timeZone !== last.timeZone)
    last = { quarter, timeZone, day: dayFormat(timeZone).format(at) };
  return last.day;
}

/** First millisecond of the next day. */
export function startOfNextDay(at: number, timeZone: string): number {
  const day = localDay(at, timeZone);
  let next = (Math.floor(at / quarterHour) + 1) * quarterHour;
  while (localDay(next, timeZone) === day) next += quarterHour;
  return next;
}

/** Formats epoch ms as `HH:MM`. */
export function localTime(at: number, timeZone: string): string {
  return timeFormat(timeZone).format(at);
}

/** `day`: `YYYY-MM-DD`; `time`: `HH:MM` or `HH:MM:SS`. */
export function epochOf(day: string, time: string, timeZone: string): number {
  const shown = Date.parse(`${day}T${time}Z`);
  // The offset may change in between, e.g. to summer time.
  const guess = shown - offsetAt(shown, timeZone);
  return shown - offsetAt(guess, timeZone);
}

/** Milliseconds, positive east of UTC. */
function offsetAt(at: number, timeZone: string): number {
  const quarter = Math.floor(at / quarterHour) * quarterHour;
  return Date.parse(`${localDay(quarter, timeZone)}T${localTime(quarter, timeZone)}Z`) - quarter;
}

/** Creating a format is far slower than using it. */
function cacheByTimeZone(parts: Intl.DateTimeFormatOptions): (timeZone: string) => Intl.DateTimeFormat {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (timeZone) => {
    let format = formats.get(timeZone);
    if (!format) {
      // Swedish dates follow ISO 8601.
      format = new Intl.DateTimeFormat("sv-SE", { timeZone, ...parts });
      formats.set(timeZone, format);
    }
    return format;
  };
}
