import {
  type BeerForOther,
  type BeerKind,
  type BookedBy,
  compareDrinkers,
  type CounterEvent,
  type LatestBeer,
  type NewTotals,
  type OwnBeer,
  rankingLimits,
  type ShownRanking,
  tapBody,
  tapLimits,
  type TimelyStats,
} from "#contract/beercounter.ts";
import type { Milestone } from "#contract/milestones.ts";
import type { ReviewYears } from "#contract/year-review.ts";
import { isUndo, type NewEntry, type OutboxEntry, undoOf } from "#web/client/outbox-rules.ts";
import { barHeight, type Bar } from "#web/ui/bar-chart.tsx";
import { formatDate, formatList, formatNumber, timeAgo, weekdays, withoutAccents } from "#web/ui/german.ts";

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

export const sayingTopic = "saying";

export const undoneText = "Ein Bier zurückgenommen.";
/** Also for a beer that was undone in another tab. */
export const alreadyUndoneText = "Dieses Bier war schon zurückgenommen.";

/** Takes a `random` in [0, 1). */
export function pickSaying(random: number): string {
  return `${sayings[Math.floor(random * sayings.length)] ?? sayings[0]}!`;
}

export interface PastBeer {
  /** `null` until the beer is booked. */
  readonly id: number | null;
  readonly key: string | null;
  /** Epoch ms of the tap. */
  readonly at: number;
  readonly state: "booked" | "late" | "waiting" | "refused";
  readonly kind: BeerKind;
  readonly isRemovable: boolean;
  /** `null` for a beer that the member booked. */
  readonly bookedBy: BookedBy | null;
  /** Name of the other member for whom the member booked the beer. */
  readonly drinker: string | null;
  readonly undo: NewEntry | null;
}

/** Lists booked, pending and refused beers, newest first, without undone ones. */
export function listPastBeers(
  own: readonly OwnBeer[],
  forOthers: readonly BeerForOther[],
  taps: readonly OutboxEntry[],
): readonly PastBeer[] {
  const known = new Set([...own, ...forOthers].map(({ key }) => key));
  const gone = new Set(taps.filter(isUndo).map(({ beer }) => beer));
  const waiting = taps.filter((entry) => !isUndo(entry) && !known.has(entry.beer));
  return [
    ...waiting.map((entry): PastBeer => ({
      id: null,
      key: entry.beer,
      at: entry.postedAt,
      state: entry.isRefused ? "refused" : "waiting",
      kind: tapBody.parse(entry.body ?? {}).kind,
      isRemovable: true,
      bookedBy: null,
      drinker: entry.drinker ?? null,
      undo: undoOf(entry, entry.beer),
    })),
    ...own.map((beer): PastBeer => ({
      ...toPastBeer(beer, { endpoint: "drinkBeer" }),
      id: beer.id,
      bookedBy: beer.booked_by,
    })),
    ...forOthers.map((beer): PastBeer => {
      const { id, name: drinker } = beer.member;
      return { ...toPastBeer(beer, { endpoint: "drinkFor", params: { id: String(id) }, drinker }), drinker };
    }),
  ]
    .filter(({ key, state }) => state === "waiting" || state === "refused" || key === null || !gone.has(key))
    .toSorted((one, other) => other.at - one.at);
}

function toPastBeer(
  { key, at, late, kind, removable_seconds }: Omit<OwnBeer, "id" | "booked_by">,
  call: NewEntry,
): PastBeer {
  return {
    id: null,
    key,
    kind,
    at: Date.parse(at),
    state: late ? "late" : "booked",
    isRemovable: removable_seconds > 0,
    bookedBy: null,
    drinker: null,
    undo: key === null ? null : undoOf(call, key),
  };
}

/** Bridges the time until the beers are refetched. */
export function applyDelivery(own: readonly OwnBeer[], entry: OutboxEntry): readonly OwnBeer[] {
  const { beer: key, postedAt, body } = entry;
  const others = own.filter((beer) => beer.key !== key);
  if (isUndo(entry)) return others;
  const at = new Date(postedAt).toISOString();
  const { kind } = tapBody.parse(body ?? {});
  return [...others, { id: 0, key, at, late: false, kind, removable_seconds: tapLimits.undo / 1000, booked_by: null }];
}

/** Returns "21:43" if today, otherwise "Fr. 21:43". */
export function formatTime(at: number, now: number, timeZone: string): string {
  const isToday = formatDate(at, "shortDate", timeZone) === formatDate(now, "shortDate", timeZone);
  return formatDate(at, isToday ? "time" : "weekdayAndTime", timeZone).replace(", ", " ");
}

/** Returns "Prost von Anna, Ben und 5 anderen!" */
export function prostText(name: string, others?: CounterEvent["others"], memberId?: number): string {
  const names = [name, ...(others?.names ?? []).filter((_, index) => others?.userIds[index] !== memberId)];
  const count = 1 + (others?.userIds ?? []).filter((id) => id !== memberId).length;
  if (count <= 3 && names.length >= count) return `Prost von ${formatList(names.slice(0, count))}!`;
  return `Prost von ${names.slice(0, 2).join(", ")} und ${formatNumber(count - 2)} anderen!`;
}

export function toastTopic(userId: number): string {
  return `toast ${userId}`;
}

/** The next toast is then counted in the same message. */
const toastWindowMs = 5000;

/** Number of toasts in quick succession, and the time of the last one in milliseconds. */
export interface Toasts {
  readonly count: number;
  readonly at: number;
}

export function addToast(before: Toasts | null, at: number): Toasts {
  const isTogether = before !== null && at - before.at < toastWindowMs;
  return { count: isTogether ? before.count + 1 : 1, at };
}

export function describeToasts({ count }: Toasts, name: string): string {
  return count === 1 ? `${name} prostet zurück!` : `${count} × Prost zurück`;
}

/** Returns "Anna, Ben und 3 weitere"; not all may be listed. */
export function formatNames(names: readonly string[], count: number = names.length): string {
  if (count > 3) return `${names.slice(0, 2).join(", ")} und ${formatNumber(count - 2)} weitere`;
  return formatList(names);
}

/** Allows for more members than `count` with `pages` (open pages, `null` if unknown). */
export function describePresent(
  names: readonly string[],
  { count, pages }: { readonly count: number; readonly pages?: number | null | undefined },
): string {
  if (pages === undefined) return `Gerade hier: ${formatNames(names, count)}`;
  const known = names.length > 0 && `Gerade hier: ${names.slice(0, 2).join(", ")} und andere`;
  const open = pages !== null && describePages(pages);
  return [known, open].filter(Boolean).join(", ");
}

export function describePages(count: number): string {
  return count === 1 ? "eine offene Seite" : `${formatNumber(count)} offene Seiten`;
}

export function describeLatest(beer: LatestBeer | null, memberId: number | undefined, now: number): string {
  if (beer === null) return "Der erste Strich ist noch frei.";
  return `Zuletzt: ${beer.userId === memberId ? "du" : beer.userName}, ${timeAgo(Date.parse(beer.at), now, "short")}`;
}

export function milestoneTexts(
  { kind, count, userId, userName }: Milestone & { readonly userId?: number | null },
  memberId: number | null,
): { title: string; text: string } {
  const number = count === 1 ? "erstes" : `${formatNumber(count)}.`;
  const isOwn = memberId !== null && userId === memberId;
  if (kind === "group") {
    const by = isOwn ? "dir" : userName;
    return { title: `Unser ${number} Bier`, text: by === null ? "Prost, alle zusammen!" : `gezapft von ${by}` };
  }
  return isOwn
    ? { title: `Dein ${number} Bier`, text: "Prost auf dich!" }
    : { title: `Das ${number} Bier von ${userName}`, text: `Prost, ${userName}!` };
}

/** Adds ranks to the whole ranking of a large group: the server sends them only with a shortened one. */
export function addRanks(ranking: ShownRanking): ShownRanking {
  if (ranking.total !== undefined || ranking.users.length <= rankingLimits.all) return ranking;
  return { users: ranking.users.map((user, index) => ({ ...user, rank: index + 1 })) };
}

type RankedUser = ShownRanking["users"][number];

/** Returns `null` if the ranking must be refetched: a missing member may now belong to it. */
export function updateRanking(ranking: ShownRanking, totals: NewTotals): ShownRanking | null {
  const changed = new Map(totals);
  if (ranking.total !== undefined) return updateShortened(ranking, changed, ranking.total);
  const users = applyTotals(ranking.users, changed);
  return changed.size > 0 && totals.some(([id]) => !users.some((user) => user.id === id)) ? null : { users };
}

/** Members between the top and the neighbors are missing. */
function updateShortened(
  { users }: ShownRanking,
  changed: ReadonlyMap<number, number>,
  total: number,
): ShownRanking | null {
  const blocks = splitBlocks(users);
  if (!blocks.every((block) => [...changed].every((one) => staysInPlace(block, one, total)))) return null;
  return {
    users: blocks.flatMap((block) =>
      applyTotals(block, changed).map((user, index) => ({ ...user, rank: block[index]!.rank })),
    ),
    total,
  };
}

/** Splits where ranks are missing. */
function splitBlocks(users: readonly RankedUser[]): RankedUser[][] {
  const blocks: RankedUser[][] = [];
  for (const user of users) {
    const last = blocks.at(-1);
    if (last && last.at(-1)!.rank! + 1 === user.rank) last.push(user);
    else blocks.push([user]);
  }
  return blocks;
}

/** Returns `false` if the new total moves a member into the block, out of it, or past an open end. */
function staysInPlace(block: readonly RankedUser[], [id, count]: readonly [number, number], total: number): boolean {
  const [first, last] = [block[0]!, block.at(-1)!];
  const upper = first.rank === 1 ? Infinity : first.beercounter_entries_count;
  const lower = last.rank === total ? -Infinity : last.beercounter_entries_count;
  const isListed = block.some((user) => user.id === id);
  return isListed ? count > lower && count < upper : count < lower || count > upper;
}

function applyTotals(users: readonly RankedUser[], changed: ReadonlyMap<number, number>): RankedUser[] {
  return users
    .map((user) => ({
      ...user,
      beercounter_entries_count: changed.get(user.id) ?? user.beercounter_entries_count,
    }))
    .toSorted(compareDrinkers);
}

/** Takes 0 for Monday; future days have an empty value. */
export function listWeekBars({ thisWeek }: TimelyStats, today: number): Bar[] {
  return toWeekdayBars(thisWeek, (day) => day).map((bar, index) => ({
    ...bar,
    ...(index === today && { mark: "heute" }),
    ...(index > today && thisWeek[index] === 0 && { value: "" }),
  }));
}

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

/** Returns 0 for Monday. */
export function weekdayIndex(date: Date, timeZone: string): number {
  // A date formatter would delay the first screen by 15 ms. Only Safari lacks Temporal.
  if ("Temporal" in globalThis) {
    return Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(timeZone).dayOfWeek - 1;
  }
  const name = formatDate(date.getTime(), "weekday", timeZone);
  return weekdays.findIndex((weekday) => weekday === name);
}

const dayMs = 24 * 60 * 60_000;

/** Weeks begin on Monday. May wrongly be `false` on the day with 25 hours. */
export function isSameWeek(earlier: number, later: number, timeZone: string): boolean {
  const days = weekdayIndex(new Date(later), timeZone) - weekdayIndex(new Date(earlier), timeZone);
  return days >= 0 && later - earlier < (days + 1) * dayMs;
}

/** Requires that `later` is not before `earlier`. */
export function isSameDay(earlier: number, later: number, timeZone: string): boolean {
  const isSameWeekday = weekdayIndex(new Date(later), timeZone) === weekdayIndex(new Date(earlier), timeZone);
  return isSameWeekday && later - earlier < dayMs;
}

/** Returns this year on 1 December and from 26 to 31 December. */
export function findHighlightedYear({ years, today }: ReviewYears): number | null {
  const year = Number(today.slice(0, 4));
  const day = today.slice(5);
  return (day === "12-01" || day >= "12-26") && years[0]?.year === year ? year : null;
}

/** Returns those with a word that begins with the text, ignoring case and accents; all without a text. */
export function findNames<Named extends { readonly name: string }>(
  named: readonly Named[],
  text: string,
): readonly Named[] {
  const wanted = fold(text.trim());
  return named.filter(({ name }) => fold(name).startsWith(wanted) || fold(name).includes(` ${wanted}`));
}

function fold(text: string): string {
  return withoutAccents(text).toLocaleLowerCase("de");
}
