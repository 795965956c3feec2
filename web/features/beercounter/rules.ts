import {
  type CounterEvent,
  type LatestBeer,
  rankingLimits,
  type ShownRanking,
  type TimelyStats,
} from "#contract/beercounter.ts";
import type { ReviewYears } from "#contract/year-review.ts";
import { barHeight, type Bar } from "#web/ui/bar-chart.tsx";
import { formatDate, formatList, formatNumber, timeAgo, weekdays } from "#web/ui/german.ts";

/**
 * Returns the flash message that announces another member's beer, together with further beers from
 * the same event: "Prost von Anna, Ben und 5 anderen!"
 */
export function prostText(name: string, others?: CounterEvent["others"], memberId?: number): string {
  const names = [name, ...(others?.names ?? []).filter((_, index) => others?.userIds[index] !== memberId)];
  const count = 1 + (others?.userIds ?? []).filter((id) => id !== memberId).length;
  if (count <= 3 && names.length >= count) return `Prost von ${formatList(names.slice(0, count))}!`;
  return `Prost von ${names.slice(0, 2).join(", ")} und ${formatNumber(count - 2)} anderen!`;
}

/**
 * Adds the ranks to the whole ranking of a large group. The server sends them only with a shortened
 * ranking, and small groups show none.
 */
export function addRanks(ranking: ShownRanking): ShownRanking {
  if (ranking.total !== undefined || ranking.users.length <= rankingLimits.all) return ranking;
  return { users: ranking.users.map((user, index) => ({ ...user, rank: index + 1 })) };
}

/** Returns the topic of the flash message that offers to toast back to the member with this id. */
export function toastTopic(userId: number): string {
  return `toast ${userId}`;
}

/**
 * Joins the names of `count` members, of whom not all may be listed: "Anna, Ben und Carla", more
 * than three as "Anna, Ben und 3 weitere".
 */
export function formatNames(names: readonly string[], count: number = names.length): string {
  if (count > 3) return `${names.slice(0, 2).join(", ")} und ${formatNumber(count - 2)} weitere`;
  return formatList(names);
}

/**
 * Describes the present members from their names and numbers. With `pages` (the number of open
 * pages, `null` if unknown), there may be more members than `count`.
 */
export function describePresent(
  names: readonly string[],
  { count, pages }: { readonly count: number; readonly pages?: number | null | undefined },
): string {
  if (pages === undefined) return `Gerade hier: ${formatNames(names, count)}`;
  const known = names.length > 0 && `Gerade hier: ${names.slice(0, 2).join(", ")} und andere`;
  const open = pages !== null && describePages(pages);
  return [known, open].filter(Boolean).join(", ");
}

/** Returns the number of open pages as a text, e.g. "134 offene Seiten". */
export function describePages(count: number): string {
  return count === 1 ? "eine offene Seite" : `${formatNumber(count)} offene Seiten`;
}

/** Describes the group's newest beer, e.g. "Zuletzt: Ben, vor 8 Min." */
export function describeLatest(beer: LatestBeer | null, memberId: number | undefined, now: number): string {
  if (beer === null) return "Der erste Strich ist noch frei.";
  return `Zuletzt: ${beer.userId === memberId ? "du" : beer.userName}, ${timeAgo(Date.parse(beer.at), now, "short")}`;
}

/**
 * Returns a bar for each day of this week. Marks `today` (0 is Monday); future days have an empty
 * value.
 */
export function listWeekBars({ thisWeek }: TimelyStats, today: number): Bar[] {
  return toWeekdayBars(thisWeek, (day) => day).map((bar, index) => ({
    ...bar,
    ...(index === today && { mark: "heute" }),
    ...(index > today && thisWeek[index] === 0 && { value: "" }),
  }));
}

/**
 * Returns a bar with the average number of beers for each weekday, labelled "montags" to
 * "sonntags".
 */
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

/** Returns the weekday of `date` in `timeZone`; 0 is Monday. */
export function weekdayIndex(date: Date, timeZone: string): number {
  // Temporal avoids creating a date formatter, which delays the first screen by 15 ms. Only Safari
  // lacks Temporal.
  if ("Temporal" in globalThis) {
    return Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(timeZone).dayOfWeek - 1;
  }
  const name = formatDate(date.getTime(), "weekday", timeZone);
  return weekdays.findIndex((weekday) => weekday === name);
}

const dayMs = 24 * 60 * 60_000;

/**
 * Returns `true` if both times are in the same week from Monday to Sunday. On the day with 25
 * hours, when summer time ends, it may wrongly return `false`.
 */
export function isSameWeek(earlier: number, later: number, timeZone: string): boolean {
  const days = weekdayIndex(new Date(later), timeZone) - weekdayIndex(new Date(earlier), timeZone);
  return days >= 0 && later - earlier < (days + 1) * dayMs;
}

/** Returns `true` if both times are on the same day. `later` must not be before `earlier`. */
export function isSameDay(earlier: number, later: number, timeZone: string): boolean {
  const isSameWeekday = weekdayIndex(new Date(later), timeZone) === weekdayIndex(new Date(earlier), timeZone);
  return isSameWeekday && later - earlier < dayMs;
}

/**
 * Returns the year whose review is highlighted from 1 December to 31 January; `null` at other times
 * or if that year has no review.
 */
export function findHighlightedYear({ years, today }: ReviewYears): number | null {
  const isDecember = today.slice(5, 7) === "12";
  const isJanuary = today.slice(5, 7) === "01";
  const year = Number(today.slice(0, 4)) - (isJanuary ? 1 : 0);
  return (isDecember || isJanuary) && years[0]?.year === year ? year : null;
}
