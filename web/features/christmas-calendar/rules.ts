import type { CalendarImage, OwnDoor } from "#contract/christmas-calendar.ts";
import { formatList } from "#web/ui/german.ts";

/** The number on a door: the day of its month. */
export function dayNumber(date: string): number {
  return Number(date.slice(8));
}

/** `2026-12-05` is "5. Dezember". */
export function formatDay(date: string): string {
  return `${dayNumber(date)}. Dezember`;
}

/** What the server says of a door whose day has not come, and when to come back. */
export function tooEarlyText(refusal: string, date: string): string {
  return `${refusal} Komm am ${formatDay(date)} wieder!`;
}

/** The door to open next: today's, else the first that waits; undefined if none does. */
export function findWaitingDoor(images: readonly CalendarImage[], today: string): CalendarImage | undefined {
  const waiting = images.filter((image) => isWaiting(image, today));
  return waiting.find(({ date }) => date === today) ?? waiting[0];
}

/** How far along the year's calendar is, in a sentence. */
export function progressText(images: readonly CalendarImage[], today: string): string {
  const waiting = images.filter((image) => isWaiting(image, today)).length;
  if (images.every(({ url }) => url !== "")) return "Alle Türchen sind offen. Frohe Weihnachten!";
  if (waiting === 1) return "Ein Türchen wartet auf dich.";
  if (waiting > 1) return `${waiting} Türchen warten auf dich.`;
  const next = images.find(({ date }) => date > today);
  return next === undefined ? "" : `Das nächste Türchen geht am ${formatDay(next.date)} auf.`;
}

function isWaiting({ url, date }: CalendarImage, today: string): boolean {
  return url === "" && date <= today;
}

/** Describes the state of the doors that a member fills; `hasNews`: an administrator has changed one. */
export function ownDoorsText(doors: readonly OwnDoor[], hasNews = false): string {
  if (hasNews) return "Neues zu deinen Türchen";
  const empty = doors.filter(({ picture }) => picture === null);
  if (empty.length > 1) return `${empty.length} Türchen warten auf Bilder von dir.`;
  if (empty.length === 1) return `Türchen ${dayNumber(empty[0]!.date)} wartet auf ein Bild von dir.`;
  return doors.length === 1 ? "Dein Türchen" : "Deine Türchen";
}

/** How many have opened a door: "9 von 12", and the rest of the sentence. */
export function openedTexts({ opened, members }: CalendarImage): [count: string, rest: string] | null {
  if (opened === undefined) return null;
  return [`${opened} von ${members}`, opened === 1 ? "hat geöffnet" : "haben geöffnet"];
}

/** Why a file cannot be cropped. */
export function unreadableText({ name, type }: { readonly name: string; readonly type: string }): string {
  if (/\.hei[cf]$/i.test(name) || /hei[cf]/.test(type))
    return "HEIC-Fotos kann dieses Gerät nicht öffnen. Nimm das Foto als JPG, oder lade es vom iPhone aus hoch.";
  return "Dieses Bild lässt sich nicht öffnen. Nimm eins in JPG oder PNG.";
}

/** Returns the caption of an open door: its member, and how many members have opened it. */
export function pictureText(image: CalendarImage): string {
  const by = image.is_empty ? emptyText(image) : image.by === undefined ? [] : `Von ${image.by}`;
  return [by, openedTexts(image)?.join(" ") ?? []].flat().join(" · ");
}

/** Describes a door without a picture. */
export function emptyText({ late }: CalendarImage): string {
  return late === undefined ? "Hier war jemand zu langsam" : `${late} war zu langsam`;
}

/** Door numbers in a sentence: "3, 20 und 23". */
function listDoors(dates: readonly string[]): string {
  return formatList(dates.map((date) => String(dayNumber(date))));
}

/** The most doors that a title names by their numbers. */
const mostNumbers = 5;

/** Describes the doors that a member drew in the lottery. */
export function drawnText(dates: readonly string[]): string {
  if (dates.length === 1) return `Du hast Türchen ${listDoors(dates)} gezogen!`;
  if (dates.length > mostNumbers) return `Du hast ${dates.length} Türchen gezogen!`;
  return `Du hast ${listDoors(dates)} gezogen!`;
}

/** Reminds of empty doors; `dates` in order. */
export function reminderText(dates: readonly string[], today: string): string {
  const next = dates[0]!;
  const isTomorrow = Date.parse(next) - Date.parse(today) <= dayMs;
  const begins = isTomorrow ? "morgen" : `am ${formatDay(next)}`;
  if (dates.length === 1) return `Türchen ${listDoors(dates)} braucht noch ein Bild von dir. Es geht ${begins} auf.`;
  return `Türchen ${listDoors(dates)} brauchen noch Bilder von dir. Das erste geht ${begins} auf.`;
}

const dayMs = 24 * 60 * 60_000;

/** The id of a door on the page. */
export function doorId(date: string): string {
  return `tuerchen-${date}`;
}

/** How loud the music is, 0 to 1, one step of 50 ms later. */
export function raiseVolume(volume: number): number {
  return Math.min(1, Math.round(volume * 100 + 1) / 100);
}

/** The same while it fades out. */
export function lowerVolume(volume: number): number {
  return Math.max(0, Math.round(volume * 100 - 5) / 100);
}

/** Milliseconds between two steps of a fade. */
export const fadeStepMs = 50;

/** Where a flake begins, and what makes it differ from the others. */
export interface Flake {
  /** From the left, in per cent. */
  readonly left: number;
  /** Rem. */
  readonly size: number;
  /** Seconds by which its fall and its sway are ahead. */
  readonly fallOffset: number;
  readonly swayOffset: number;
}

export const flakes: readonly Flake[] = Array.from({ length: 11 }, (_, index) => ({
  left: 2 + ((index * 37) % 95),
  size: 0.9 + ((index * 5) % 7) * 0.15,
  fallOffset: (index * 3.7) % 10,
  swayOffset: (index * 1.3) % 3,
}));

/** The years on offer: those with doors, and the one that is on, even where nothing is in it yet. */
export function listYears(
  { years, year }: { years: readonly number[]; year: number },
  archive: number | null,
): number[] {
  return archive === null && !years.includes(year) ? [year, ...years] : [...years];
}
