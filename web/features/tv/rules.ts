import { maxTvTaps, type TvParty, type TvScreen } from "#contract/tv.ts";
import { formatDate, formatList } from "#web/ui/german.ts";

const usualDelay = 2000;
const longestDelay = 30_000;

/** Returns milliseconds. */
export function pollDelay(failures: number): number {
  return Math.min(longestDelay, usualDelay * 2 ** failures);
}

export type Announcement =
  | { readonly key: string; readonly kind: "taps"; readonly drinkers: TvScreen["taps"] }
  | { readonly key: string; readonly kind: "milestone"; readonly milestone: NonNullable<TvScreen["milestone"]> };

/** Older beers were booked late or while this TV was off. */
const announcementMaxAgeMs = 60_000;

/** Takes the server's time in epoch ms. */
export function findAnnouncement(before: TvScreen, after: TvScreen, now: number): Announcement | null {
  const isNews = ({ at }: { at: string }): boolean => now - Date.parse(at) < announcementMaxAgeMs;
  const { milestone } = after;
  if (milestone !== null && milestone.id > (before.milestone?.id ?? 0) && isNews(milestone)) {
    return { key: `milestone ${milestone.id}`, kind: "milestone", milestone };
  }
  const findNew = <Tap extends { id: number; at: string }>(old: readonly Tap[], taps: readonly Tap[]): Tap[] => {
    const newest = Math.max(0, ...old.map(({ id }) => id));
    return taps.filter((tap) => tap.id > newest && isNews(tap));
  };
  const guests = findNew(listGuestTaps(before), listGuestTaps(after)).map(toTap);
  const taps = [...findNew(before.taps, after.taps).toReversed(), ...guests.toReversed()];
  const last = taps.at(-1);
  if (last === undefined) return null;
  const drinkers = [...new Map(taps.map((tap) => [`${tap.name} ${tap.avatarId}`, tap])).values()];
  return { key: `tap ${last.id}`, kind: "taps", drinkers };
}

/** Takes a tap of a guest. Its id becomes negative, and so never the id of a member's beer. */
function toTap(tap: TvParty["guest_taps"][number]): TvScreen["taps"][number] {
  return { ...tap, id: -tap.id, avatarId: null, kind: null };
}

function listGuestTaps({ parties }: TvScreen): TvParty["guest_taps"] {
  return parties.flatMap(({ guest_taps }) => guest_taps);
}

/** Returns the newest taps of members and guests, newest first. */
export function listLatest(screen: TvScreen): TvScreen["taps"] {
  const newestFirst = [...screen.taps, ...listGuestTaps(screen).map(toTap)].toSorted((one, other) =>
    other.at.localeCompare(one.at),
  );
  return newestFirst.slice(0, maxTvTaps);
}

export function prostText(names: readonly string[]): string {
  return `Prost, ${names.length > 2 ? "alle zusammen" : names.join(" und ")}!`;
}

/** Returns percent of the longest bar. */
export function barWidth(count: number, counts: readonly number[]): number {
  const most = Math.max(0, ...counts);
  return most === 0 ? 0 : Math.round((count / most) * 10_000) / 100;
}

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

/** Returns pixels; the movement prevents burn-in. */
export function driftOffset(now: number): readonly [x: number, y: number] {
  return driftSteps[Math.floor(now / driftInterval) % driftSteps.length] ?? driftSteps[0];
}

/** Size in em. Smaller screens scroll. */
const board = { width: 120, height: 67.5 };
const wideFrom = 900;

/** Returns `em` in px, and `isWide` if the whole board fits. */
export function computeScale(width: number, height: number): { isWide: boolean; em: number } {
  const isWide = width >= wideFrom && width > height;
  const em = isWide ? Math.min(width / board.width, height / board.height) : Math.min(20, Math.max(13, width / 28));
  return { isWide, em };
}

const quietAfter = 5 * 60_000;

/** Takes times in epoch ms. */
export function isQuiet({ taps, milestone, parties }: TvScreen, openedAt: number, now: number): boolean {
  const news = [taps[0], milestone, ...parties.map(({ guest_taps }) => guest_taps[0])].map((one) =>
    one ? Date.parse(one.at) : 0,
  );
  return now - Math.max(openedAt, ...news) >= quietAfter;
}

/** Returns -100 to 100 percent of the free space; within hours, the clock reaches the whole screen. */
export function clockPlace(now: number): { x: number; y: number } {
  const turns = (minutes: number): number => Math.sin((now / (minutes * 60_000)) * 2 * Math.PI);
  return { x: Math.round(turns(37) * 1000) / 10, y: Math.round(turns(23) * 1000) / 10 };
}

/** Degrees from twelve o'clock, for "21:43". */
export function clockHands(time: string): { hour: number; minute: number } {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return { hour: ((hours % 12) + minutes / 60) * 30, minute: minutes * 6 };
}

const partyInterval = 20_000;

export function findShownParty(parties: readonly TvParty[], now: number): TvParty | null {
  return parties[Math.floor(now / partyInterval) % parties.length] ?? null;
}

const maxNames = 5;

/** Returns "Anna, Ben und 3 weitere". */
export function formatPeople({ members, others }: Pick<TvParty, "members" | "others">): string {
  const names = members.slice(0, members.length + others > maxNames ? maxNames - 1 : maxNames).map(({ name }) => name);
  const more = members.length + others - names.length;
  if (more === 0) return formatList(names);
  return formatList([...names, names.length === 0 ? `${more} dabei` : more === 1 ? "1 weiterer" : `${more} weitere`]);
}

/** Takes a time such as "21:43". */
export function tonightText(time: string): string {
  return time >= "06:00" && time < "16:00" ? "heute" : "heute Abend";
}

/** Returns "Samstag, 21. November" and "21:43". */
export function formatClock(now: number, timeZone: string): { day: string; time: string } {
  return { day: formatDate(now, "weekdayAndDay", timeZone), time: formatDate(now, "time", timeZone) };
}
