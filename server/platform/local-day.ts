const dayFormat = cacheByTimeZone({ year: "numeric", month: "2-digit", day: "2-digit" });
const timeFormat = cacheByTimeZone({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** The day, `YYYY-MM-DD`, of a time (epoch ms) in `timeZone`. */
export function localDay(at: number, timeZone: string): string {
  return dayFormat(timeZone).format(at);
}

/** The time of day, `HH:MM`, of a time (epoch ms) in `timeZone`. */
export function localTime(at: number, timeZone: string): string {
  return timeFormat(timeZone).format(at);
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
