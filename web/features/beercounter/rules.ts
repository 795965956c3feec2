import {
  tapBody,
  tapLimits,
  type BeerKind,
  type LatestBeer,
  type OwnBeer,
  type TimelyStats,
} from "#contract/beercounter.ts";
import type { ReviewYears } from "#contract/year-review.ts";
import type { OutboxEntry } from "#web/platform/outbox-storage.ts";
import { barHeight, type Bar } from "#web/ui/bar-chart.tsx";
import { formatDate, formatList, formatNumber, timeAgo, weekdays } from "#web/ui/german.ts";

/** What is said after one's own beer; one of them at random, with an exclamation mark. */
export const sayings = [
  "Prosit, liebe Runde",
  "Wohl bekomm's",
  "Nicht lang schnacken, Kopf in Nacken",
  "Hoch die Tassen",
  "Zum Wohl, die Herrschaften",
  "Hopfen und Malz, Gott erhalt's",
  "Auf die Freundschaft",
  "Zwischen Leber und Milz passt immer noch ein Pils",
  "Ein Prosit der Gemütlichkeit",
  "Auf alle, die heute hier sind",
  "Wer nicht genießt, wird ungenießbar",
] as const;

/** What an undo says; the second one where the beer was gone already, say from another tab or phone. */
export const undoneText = "Ein Bier zurückgenommen.";
export const alreadyUndoneText = "Dieses Bier war schon zurückgenommen.";

/** A saying with its exclamation mark; `random` is from 0 up to but not including 1. */
export function pickSaying(random: number): string {
  return `${sayings[Math.floor(random * sayings.length)] ?? sayings[0]}!`;
}

export function isSaying(text: string): boolean {
  return sayings.some((saying) => text === `${saying}!`);
}

/** What is said after somebody else's beer. */
export function prostText(name: string): string {
  return `Prost von ${name}!`;
}

/** "Anna, Ben und Carla", of more than three "Anna, Ben und 3 weitere". */
export function formatNames(names: readonly string[]): string {
  if (names.length > 3) return `${names.slice(0, 2).join(", ")} und ${formatNumber(names.length - 2)} weitere`;
  return formatList(names);
}

/** Who drank last, and when: "Zuletzt: Ben, vor 8 Min." */
export function describeLatest(beer: LatestBeer | null, memberId: number | undefined, now: number): string {
  if (beer === null) return "Der erste Strich ist noch frei.";
  return `Zuletzt: ${beer.userId === memberId ? "du" : beer.userName}, ${timeAgo(Date.parse(beer.at), now, "short")}`;
}

/** A bar per day of this week; `today` (0 for Monday) is marked, and the days to come have no value. */
export function listWeekBars({ thisWeek }: TimelyStats, today: number): Bar[] {
  return toWeekdayBars(thisWeek, (day) => day).map((bar, index) => ({
    ...bar,
    ...(index === today && { mark: "heute" }),
    ...(index > today && thisWeek[index] === 0 && { value: "" }),
  }));
}

/** "montags" to "sonntags" with the averages of all weeks. */
export function listAverageBars({ allWeeks }: TimelyStats): Bar[] {
  return toWeekdayBars(allWeeks, (day) => `${day.toLocaleLowerCase("de")}s`);
}

export function isEmptyWeek(stats: TimelyStats): boolean {
  return stats.thisWeek.every((beers) => beers === 0);
}

function toWeekdayBars(values: readonly number[], label: (day: string) => string): Bar[] {
  return weekdays.map((day, index) => ({
    key: day,
    label: label(day),
    shortLabel: day.slice(0, 2),
    value: formatNumber(values[index]!),
    height: barHeight(values[index]!, values),
    tone: "beer",
  }));
}

/** Index of the weekday that `date` is in `timeZone`, 0 for Monday. */
export function weekdayIndex(date: Date, timeZone: string): number {
  // The counter is the first screen, and a formatter takes 15 ms to be made; Safari has nothing else.
  if ("Temporal" in globalThis) {
    return Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(timeZone).dayOfWeek - 1;
  }
  const name = formatDate(date.getTime(), "weekday", timeZone);
  return weekdays.findIndex((weekday) => weekday === name);
}

const dayMs = 24 * 60 * 60_000;

/** True if both times lie in the same week, Monday to Sunday. May be false on the 25-hour day. */
export function isSameWeek(earlier: number, later: number, timeZone: string): boolean {
  const days = weekdayIndex(new Date(later), timeZone) - weekdayIndex(new Date(earlier), timeZone);
  return days >= 0 && later - earlier < (days + 1) * dayMs;
}

/** True if both times lie on the same day. `later` must not be before `earlier`. */
export function isSameDay(earlier: number, later: number, timeZone: string): boolean {
  const isSameWeekday = weekdayIndex(new Date(later), timeZone) === weekdayIndex(new Date(earlier), timeZone);
  return isSameWeekday && later - earlier < dayMs;
}

/** One line of the history. */
export interface PastBeer {
  /** Of the booked beer; null while it is only a tap. */
  readonly id: number | null;
  readonly key: string | null;
  /** Epoch ms. */
  readonly at: number;
  readonly state: "booked" | "late" | "waiting" | "refused";
  readonly kind: BeerKind;
  readonly isRemovable: boolean;
}

/** What the server knows and what is still on its way, without what was taken back; the last beer first. */
export function listPastBeers(own: readonly OwnBeer[], taps: readonly OutboxEntry[]): readonly PastBeer[] {
  const known = new Set(own.map(({ key }) => key));
  const gone = new Set(taps.filter(({ isRecalled }) => isRecalled).map(({ key }) => key));
  const waiting = taps.filter(({ key, isRecalled }) => !isRecalled && !known.has(key));
  return [
    ...waiting.map(({ key, postedAt, isRefused, body }): PastBeer => ({
      id: null,
      key,
      at: postedAt,
      state: isRefused ? "refused" : "waiting",
      kind: tapBody.parse(body ?? {}).kind,
      isRemovable: true,
    })),
    ...own
      .filter(({ key }) => key === null || !gone.has(key))
      .map(({ id, key, at, late, kind, removable_seconds }): PastBeer => ({
        id,
        key,
        kind,
        at: Date.parse(at),
        state: late ? "late" : "booked",
        isRemovable: removable_seconds > 0,
      })),
  ].toSorted((one, other) => other.at - one.at);
}

/** What the server knows after an entry has arrived, until it is loaded again, with the beer's id. */
export function applyDelivery(
  own: readonly OwnBeer[],
  { key, postedAt, isRecalled, body }: OutboxEntry,
): readonly OwnBeer[] {
  const others = own.filter((beer) => beer.key !== key);
  if (isRecalled) return others;
  const at = new Date(postedAt).toISOString();
  const { kind } = tapBody.parse(body ?? {});
  return [...others, { id: 0, key, at, late: false, kind, removable_seconds: tapLimits.undo / 1000 }];
}

/** "21:43" today, "Fr. 21:43" on another day. */
export function formatTime(at: number, now: number, timeZone: string): string {
  const isToday = formatDate(at, "shortDate", timeZone) === formatDate(now, "shortDate", timeZone);
  return formatDate(at, isToday ? "time" : "weekdayAndTime", timeZone).replace(", ", " ");
}

/** The year whose review is highlighted, from 1 December to 31 January; null at other times and where it has none. */
export function findHighlightedYear({ years, today }: ReviewYears): number | null {
  const isDecember = today.slice(5, 7) === "12";
  const isJanuary = today.slice(5, 7) === "01";
  const year = Number(today.slice(0, 4)) - (isJanuary ? 1 : 0);
  return (isDecember || isJanuary) && years[0]?.year === year ? year : null;
}

/**
 * Runs `work` at once. Requests while it runs become one more run afterwards, which starts `pause` ms after the last one
 * began at the earliest: a burst of beers is two loads, not twenty.
 */
export function coalesce(work: () => Promise<unknown>, pause: number): () => void {
  let isRunning = false;
  let isRequested = false;
  async function run(): Promise<void> {
    isRunning = true;
    isRequested = false;
    await Promise.all([work().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, pause))]);
    isRunning = false;
    if (isRequested) void run();
  }
  return () => {
    if (isRunning) isRequested = true;
    else void run();
  };
}

/**
 * Milliseconds until a page reloads the charts after somebody's beer: all open pages do, so they spread over 5 ms for each member
 * who is present.
 */
export function reloadDelay(presentCount: number, random: number = Math.random()): number {
  return presentCount * 5 * random;
}
