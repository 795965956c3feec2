/**
 * The German forms of numbers, dates and lists. The browser's formatters take long to be made, the first of a kind 15 ms: what
 * the first screen shows is written by hand, and the others are made when they are needed.
 */

/** Monday first. */
export const weekdays = ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"] as const;

/** 1234.5 is "1.234,5". At most two decimals. */
export function formatNumber(value: number): string {
  const [whole, decimals] = String(Math.round(value * 100) / 100).split(".");
  const grouped = whole!.replaceAll(/\B(?=(\d{3})+$)/g, ".");
  return decimals === undefined ? grouped : `${grouped},${decimals}`;
}

/** "1 Platz", "1.204 Plätze". */
export function formatCount(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** "1 Bier", "1.204 Biere". */
export function formatBeers(count: number): string {
  return formatCount(count, "Bier", "Biere");
}

/** "davon 12 × 0,0", beers without alcohol; null without any. */
export function formatAlcoholFree(count: number): string | null {
  return count === 0 ? null : `davon ${formatNumber(count)} × 0,0`;
}

/** "Anna, Ben und Carla". */
export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat("de-DE", { type: "conjunction" }).format(items);
}

const time = { hour: "2-digit", minute: "2-digit" } as const;
const day = { day: "numeric", month: "long" } as const;

/** The ways in which dates are written, each with an example. */
const dateStyles = {
  /** 14:05 */
  time,
  /** Fr., 14:05 */
  weekdayAndTime: { weekday: "short", ...time },
  /** 28. */
  dayOfMonth: { day: "numeric" },
  /** 28. November */
  day,
  /** 28. November 2026 */
  date: { ...day, year: "numeric" },
  /** Samstag */
  weekday: { weekday: "long" },
  /** Samstag, 28. November */
  weekdayAndDay: { weekday: "long", ...day },
  /** 28.11.26 */
  shortDate: { dateStyle: "short" },
  /** November */
  month: { month: "long" },
  /** Nov */
  shortMonth: { month: "short" },
  /** November 2026 */
  monthAndYear: { month: "long", year: "numeric" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

export type DateStyle = keyof typeof dateStyles;

const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** Writes a point in time, in epoch ms or ISO 8601. Without a time zone the browser's counts. */
export function formatDate(at: number | string, style: DateStyle, timeZone?: string): string {
  const key = `${style} ${timeZone}`;
  let format = dateFormats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("de-DE", { ...dateStyles[style], timeZone });
    dateFormats.set(key, format);
  }
  return format.format(new Date(at));
}

/**
 * Writes a time of day as every sentence does: "14:05 Uhr", with a day "28. November, 14:05 Uhr". Lists, charts and clocks show it
 * without "Uhr".
 */
export function formatTimeOfDay(at: number | string, timeZone?: string, dayStyle?: DateStyle): string {
  const written = `${formatDate(at, "time", timeZone)} Uhr`;
  return dayStyle === undefined ? written : `${formatDate(at, dayStyle, timeZone)}, ${written}`;
}

const minute = 60_000;
const hour = 60 * minute;
const dayLength = 24 * hour;

/**
 * How long ago `at` was, e.g. "gerade eben", "vor 5 Minuten" (short: "vor 5 Min."), "gestern", "am 3. November", after a year with
 * the year. Epoch ms.
 */
export function timeAgo(at: number, now: number, style: "long" | "short" = "long"): string {
  const past = Math.max(0, now - at);
  if (past < minute) return "gerade eben";
  if (past >= 7 * dayLength) return `am ${formatDate(at, past < 365 * dayLength ? "day" : "date")}`;
  if (past >= dayLength) {
    const midnight = (moment: number): number => new Date(moment).setHours(0, 0, 0, 0);
    const days = Math.round((midnight(now) - midnight(at)) / dayLength);
    return ["gestern", "vorgestern"][days - 1] ?? `vor ${days} Tagen`;
  }
  const [length, one, many, short] =
    past >= hour ? ([hour, "Stunde", "Stunden", "Std."] as const) : ([minute, "Minute", "Minuten", "Min."] as const);
  const count = Math.floor(past / length);
  return style === "short" ? `vor ${count} ${short}` : `vor ${formatCount(count, one, many)}`;
}
