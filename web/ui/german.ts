/** Monday first. */
export const weekdays = ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"] as const;

const numbers = new Intl.NumberFormat("de-DE", { maximumFractionDigits: 2 });
const lists = new Intl.ListFormat("de-DE", { type: "conjunction" });
const relativeTimes = {
  long: new Intl.RelativeTimeFormat("de-DE", { numeric: "auto" }),
  short: new Intl.RelativeTimeFormat("de-DE", { numeric: "auto", style: "short" }),
};

/** Writes 1234.5 as "1.234,5", with at most two decimals. */
export function formatNumber(value: number): string {
  return numbers.format(value);
}

/** Writes "1 Platz", "1.204 Plätze". */
export function formatCount(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** Writes "1 Bier", "1.204 Biere". */
export function formatBeers(count: number): string {
  return formatCount(count, "Bier", "Biere");
}

/** Writes "davon 12 × 0,0"; returns `null` for 0. */
export function formatAlcoholFree(count: number): string | null {
  return count === 0 ? null : `davon ${formatNumber(count)} × 0,0`;
}

/** Writes "Anna, Ben und Carla". */
export function formatList(items: readonly string[]): string {
  return lists.format(items);
}

const time = { hour: "2-digit", minute: "2-digit" } as const;
const day = { day: "numeric", month: "long" } as const;

const dateStyles = {
  /** Example: 14:05 */
  time,
  /** Example: Fr., 14:05 */
  weekdayAndTime: { weekday: "short", ...time },
  /** Example: 28. */
  dayOfMonth: { day: "numeric" },
  /** Example: 28. November */
  day,
  /** Example: 28. November 2026 */
  date: { ...day, year: "numeric" },
  /** Example: Samstag */
  weekday: { weekday: "long" },
  /** Example: Samstag, 28. November */
  weekdayAndDay: { weekday: "long", ...day },
  /** Example: 28.11.26 */
  shortDate: { dateStyle: "short" },
  /** Example: November */
  month: { month: "long" },
  /** Example: Nov */
  shortMonth: { month: "short" },
  /** Example: November 2026 */
  monthAndYear: { month: "long", year: "numeric" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

export type DateStyle = keyof typeof dateStyles;

const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** Takes epoch ms or ISO 8601; writes by default in the browser's time zone. */
export function formatDate(at: number | string, style: DateStyle, timeZone?: string): string {
  const key = `${style} ${timeZone}`;
  let format = dateFormats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("de-DE", { ...dateStyles[style], timeZone });
    dateFormats.set(key, format);
  }
  return format.format(new Date(at));
}

/** Takes "2026-11-28". Evens out browsers: the full stop in "21." and the length of short months. */
export function formatDay(date: string, style: DateStyle): string {
  const text = formatDate(date, style, "UTC");
  if (style === "dayOfMonth") return `${text.replace(".", "")}.`;
  return style === "shortMonth" ? text.slice(0, 3) : text;
}

/** Writes "14:05 Uhr", with a `dayStyle` e.g. "28. November, 14:05 Uhr". */
export function formatTimeOfDay(at: number | string, timeZone?: string, dayStyle?: DateStyle): string {
  const written = `${formatDate(at, "time", timeZone)} Uhr`;
  return dayStyle === undefined ? written : `${formatDate(at, dayStyle, timeZone)}, ${written}`;
}

const minute = 60_000;
const hour = 60 * minute;
const dayLength = 24 * hour;

/**
 * Writes "gerade eben", "vor 5 Minuten" (short: "vor 5 Min."), "gestern" or "am 3. November", with the year after a
 * year. Takes epoch ms.
 */
export function timeAgo(at: number, now: number, style: "long" | "short" = "long"): string {
  const past = Math.max(0, now - at);
  if (past < minute) return "gerade eben";
  if (past >= 7 * dayLength) return `am ${formatDate(at, past < 365 * dayLength ? "day" : "date")}`;
  if (past >= dayLength) {
    const midnight = (moment: number): number => new Date(moment).setHours(0, 0, 0, 0);
    return relativeTimes.long.format(Math.round((midnight(at) - midnight(now)) / dayLength), "day");
  }
  const [length, unit] = past >= hour ? ([hour, "hour"] as const) : ([minute, "minute"] as const);
  return relativeTimes[style].format(-Math.floor(past / length), unit);
}

/** Writes "1,5 MB". */
export function formatMegabytes(bytes: number): string {
  const megabytes = Math.round((bytes / 1024 ** 2) * 10) / 10;
  return megabytes === 0 ? "unter 0,1 MB" : `${formatNumber(megabytes)} MB`;
}

/** Turns "Ömer" into "Omer", to find names without typing accents. */
export function withoutAccents(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "");
}
