import type { ManagedMember } from "#contract/member-management.ts";
import type { MemberPage, AttendedParty, MemberDoor, RoundBeer } from "#contract/member-page.ts";
import { formatBeers, formatCount, formatDate, formatList, formatNumber } from "#web/ui/german.ts";

export function isSameDay(one: number, other: number, timeZone: string): boolean {
  return formatDate(one, "shortDate", timeZone) === formatDate(other, "shortDate", timeZone);
}

export function titleOf(isOwn: boolean, name: string | undefined): string {
  if (isOwn) return "Mein Deckel";
  return name === undefined ? "Deckel" : `Deckel von ${name}`;
}

export function describeRoundBeer({ count }: RoundBeer): string {
  return count === 1 ? "Das erste Bier" : `Das ${formatNumber(count)}. Bier`;
}

export function describeParty({ is_running, starts_at, own_total }: AttendedParty, timeZone: string): string {
  const day = formatDate(starts_at, "date", timeZone);
  return `${is_running ? "läuft gerade" : day}, ${formatBeers(own_total)}`;
}

export function doorNumber({ date }: MemberDoor): number {
  return Number(date.slice(8));
}

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

type Findable = Pick<ManagedMember, "name" | "uname" | "email" | "disabled">;

/** Returns members who match every word, sorted by name, with disabled ones last. */
export function filterMembers<Member extends Findable>(members: readonly Member[], search: string): Member[] {
  const words = normalize(search).split(/\s+/).filter(Boolean);
  return members
    .filter(({ name, uname, email }) => words.every((word) => normalize(`${name} ${uname} ${email}`).includes(word)))
    .toSorted(
      (one, other) => Number(one.disabled) - Number(other.disabled) || one.name.localeCompare(other.name, "de"),
    );
}

function normalize(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase("de");
}
