import type { MemberPage, AttendedParty, MemberDoor, RoundBeer } from "#contract/member-page.ts";
import { formatBeers, formatCount, formatDate, formatList, formatNumber } from "#web/ui/german.ts";

export function isSameDay(one: number, other: number, timeZone: string): boolean {
  return formatDate(one, "shortDate", timeZone) === formatDate(other, "shortDate", timeZone);
}

/**
 * Returns the title of a member page: "Mein Deckel" or "Deckel von Ben"; "Deckel" until the name is
 * loaded.
 */
export function titleOf(isOwn: boolean, name: string | undefined): string {
  if (isOwn) return "Mein Deckel";
  return name === undefined ? "Deckel" : `Deckel von ${name}`;
}

/** Formats a date such as `2026-11-20` as "20. November 2026". */
export function formatDay(day: string): string {
  return formatDate(`${day}T12:00:00Z`, "date", "UTC");
}

/** Returns the name of a round beer: "Das erste Bier" or "Das 100. Bier". */
export function describeRoundBeer({ count }: RoundBeer): string {
  return count === 1 ? "Das erste Bier" : `Das ${formatNumber(count)}. Bier`;
}

/**
 * Describes an attended party, e.g. "20. November 2026, 5 Biere", or "läuft gerade, 5 Biere" while
 * it is running.
 */
export function describeParty({ is_running, starts_at, own_total }: AttendedParty, timeZone: string): string {
  const day = formatDate(starts_at, "date", timeZone);
  return `${is_running ? "läuft gerade" : day}, ${formatBeers(own_total)}`;
}

/** Returns the number of a calendar door, which is its day of the month. */
export function doorNumber({ date }: MemberDoor): number {
  return Number(date.slice(8));
}

/** Returns the sentences below the calendar doors on the member's own page. */
export function describeOwnDoors({ doors, opened }: MemberPage["calendar"], today: string): string[] {
  const waiting = doors.filter(({ date, is_filled }) => !is_filled && date > today).map(doorNumber);
  const names = formatList(waiting.map(String));
  return [
    ...(waiting.length > 0
      ? [`Türchen ${names} ${waiting.length === 1 ? "wartet" : "warten"} auf ein Bild von dir.`]
      : []),
    ...(opened ? [`${formatCount(opened, "Türchen", "Türchen")} hast du geöffnet.`] : []),
  ];
}
