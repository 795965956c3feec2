import type { TvScreen } from "#contract/tv.ts";
import { formatDate, formatNumber } from "#web/ui/german.ts";

const usualDelay = 2000;
const longestDelay = 30_000;

/** How long the page waits before it asks again, in ms; longer with every failure in a row. */
export function pollDelay(failures: number): number {
  return Math.min(longestDelay, usualDelay * 2 ** failures);
}

/** What is shown large for a few seconds, identified by `key`. */
export type Announcement =
  | { readonly key: string; readonly kind: "taps"; readonly drinkers: TvScreen["taps"] }
  | { readonly key: string; readonly kind: "milestone"; readonly milestone: NonNullable<TvScreen["milestone"]> };

/** What happened longer ago is not announced: it was booked later, or this television was off. */
const announcementMaxAge = 60_000;

/** The announcement of what happened between two screens, at `now` by the server's clock; null if nothing did. */
export function findAnnouncement(before: TvScreen, after: TvScreen, now: number): Announcement | null {
  const isNews = ({ at }: { at: string }): boolean => now - Date.parse(at) < announcementMaxAge;
  const { milestone } = after;
  if (milestone !== null && milestone.id > (before.milestone?.id ?? 0) && isNews(milestone)) {
    return { key: `milestone ${milestone.id}`, kind: "milestone", milestone };
  }
  const newest = Math.max(0, ...before.taps.map(({ id }) => id));
  const taps = after.taps.filter((tap) => tap.id > newest && isNews(tap));
  if (taps[0] === undefined) return null;
  // Each once, in the order of their taps.
  const drinkers = [...new Map(taps.toReversed().map((tap) => [`${tap.name} ${tap.avatarId}`, tap])).values()];
  return { key: `tap ${taps[0].id}`, kind: "taps", drinkers };
}

/** "Prost, Anna!", "Prost, Anna und Ben!", and from three on all of them. */
export function prostText(names: readonly string[]): string {
  return `Prost, ${names.length > 2 ? "alle zusammen" : names.join(" und ")}!`;
}

export function milestoneTexts({ kind, count, userName }: NonNullable<TvScreen["milestone"]>) {
  const number = formatNumber(count);
  return kind === "group"
    ? { title: `Unser ${number}. Bier`, text: `gezapft von ${userName}` }
    : { title: `Das ${number}. Bier von ${userName}`, text: `Prost, ${userName}!` };
}

/** A bar's width in per cent of the longest; 0 if all are 0. */
export function barWidth(count: number, counts: readonly number[]): number {
  const most = Math.max(0, ...counts);
  return most === 0 ? 0 : Math.round((count / most) * 10_000) / 100;
}

/** How many columns the ranking takes, and how many rows each, so that everybody fits. */
export function rankingLayout(drinkers: number): { columns: number; rows: number } {
  const columns = drinkers <= 12 ? 1 : drinkers <= 44 ? 2 : 3;
  return { columns, rows: Math.max(1, Math.ceil(drinkers / columns)) };
}

const driftInterval = 90_000;
const driftSteps = [
  [0, 0],
  [5, 2],
  [7, -3],
  [2, -6],
  [-4, -5],
  [-7, 0],
  [-5, 5],
  [1, 6],
] as const;

/** Where the whole picture lies at that time, in px: it wanders a little, so that nothing burns into the screen. */
export function driftOffset(now: number): readonly [x: number, y: number] {
  return driftSteps[Math.floor(now / driftInterval) % driftSteps.length] ?? driftSteps[0];
}

/** The drawing board is so many em wide and high; on screens that are not wide it scrolls instead. */
const board = { width: 120, height: 67.5 };
const wideFrom = 900;

/** Whether the screen is one to lay out at once, and how many px one em is on it. */
export function computeScale(width: number, height: number): { isWide: boolean; em: number } {
  const isWide = width >= wideFrom && width > height;
  const em = isWide ? Math.min(width / board.width, height / board.height) : Math.min(20, Math.max(13, width / 28));
  return { isWide, em };
}

/** "Samstag, 21. November" and "21:43", in the group's time zone. */
export function formatClock(now: number, timeZone: string): { day: string; time: string } {
  return { day: formatDate(now, "weekdayAndDay", timeZone), time: formatDate(now, "time", timeZone) };
}
