import { minutes } from "#server/time.ts";

const dayFormat = cacheByTimeZone({ year: "numeric", month: "2-digit", day: "2-digit" });
const timeFormat = cacheByTimeZone({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** Days begin at a full quarter of an hour everywhere. */
const quarterHour = minutes(15);
let last = { quarter: Number.NaN, timeZone: "", day: "" };

/** The day, `YYYY-MM-DD`, of a time (epoch ms) in `timeZone`. Within a quarter of an hour it is formatted once. */
export function localDay(at: number, timeZone: string): string {
  const quarter = Math.floor(at / quarterHour);
  if (quarter !== last.quarter || timeZone !== last.timeZone)
    last = { quarter, timeZone, day: dayFormat(timeZone).format(at) };
  return last.day;
}

/** The time of day, `HH:MM`, of a time (epoch ms) in `timeZone`. */
export function localTime(at: number, timeZone: string): string {
  return timeFormat(timeZone).format(at);
}

/** The time (epoch ms) at which the clocks of `timeZone` show a day (`YYYY-MM-DD`) and a time of day (`HH:MM` or `HH:MM:SS`). */
export function epochOf(day: string, time: string, timeZone: string): number {
  const shown = Date.parse(`${day}T${time}Z`);
  // The offset of a time zone changes only twice a year: the second guess is right on both sides of a change.
  const guess = shown - offsetAt(shown, timeZone);
  return shown - offsetAt(guess, timeZone);
}

/** Milliseconds by which the clocks of `timeZone` are ahead of UTC at a time (epoch ms). */
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
      // Sweden writes dates as ISO 8601 does.
      format = new Intl.DateTimeFormat("sv-SE", { timeZone, ...parts });
      formats.set(timeZone, format);
    }
    return format;
  };
}
