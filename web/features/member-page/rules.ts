import type { MemberPage, AttendedParty, MemberDoor, RoundBeer } from "#contract/member-page.ts";
import { formatBeers, formatCount, formatDate, formatList, formatNumber } from "#web/ui/german.ts";

/** The member in an address such as `?id=7`; `null` for the logged-in member. */
export function parseMemberId(search: string): number | null {
  const id = new URLSearchParams(search).get("id") ?? "";
  return /^[1-9]\d{0,8}$/.test(id) ? Number(id) : null;
}

export function isSameDay(one: number, other: number, timeZone: string): boolean {
  return formatDate(one, "shortDate", timeZone) === formatDate(other, "shortDate", timeZone);
}

/** "Mein Deckel", "Deckel von Ben"; "Deckel" until the name is known. */
export function titleOf(isOwn: boolean, name: string | undefined): string {
  if (isOwn) return "Mein Deckel";
  return name === undefined ? "Deckel" : `Deckel von ${name}`;
}

/** `2026-11-20` is "20. November 2026". */
export function formatDay(day: string): string {
  return formatDate(`${day}T12:00:00Z`, "date", "UTC");
}

/** "Das erste Bier", "Das 100. Bier". */
export function describeRoundBeer({ count }: RoundBeer): string {
  return count === 1 ? "Das erste Bier" : `Das ${formatNumber(count)}. Bier`;
}

/** "20. November 2026, 5 Biere"; of a running one "seit heute, 5 Biere". */
export function describeParty({ is_running, starts_at, own_total }: AttendedParty, timeZone: string): string {
  const day = formatDate(starts_at, "date", timeZone);
  return `${is_running ? "läuft gerade" : day}, ${formatBeers(own_total)}`;
}

/** The number on a door: the day of its month. */
export function doorNumber({ date }: MemberDoor): number {
  return Number(date.slice(8));
}

/** Returns the sentences below the member's own doors. */
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
