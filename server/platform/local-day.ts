/** Making one of these costs far more than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day, `YYYY-MM-DD`, that a moment (epoch ms) belongs to in `timeZone`. */
export function localDay(at: number, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    // Sweden writes its dates as ISO 8601 does.
    format = new Intl.DateTimeFormat("sv-SE", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
    formats.set(timeZone, format);
  }
  return format.format(at);
}

const times = new Map<string, Intl.DateTimeFormat>();

/** The time of day, `HH:MM`, that a clock in `timeZone` shows at a moment (epoch ms). */
export function localTime(at: number, timeZone: string): string {
  let format = times.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("sv-SE", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    times.set(timeZone, format);
  }
  return format.format(at);
}
