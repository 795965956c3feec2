import { type CalendarImage, type OwnDoor, dayNumber } from "#contract/christmas-calendar.ts";
import { formatList } from "#web/ui/german.ts";

/** Formats a date such as `2026-12-05` as "5. Dezember". */
export function formatDay(date: string): string {
  return `${dayNumber(date)}. Dezember`;
}

/**
 * Returns the server's refusal to open a door too early, followed by the day on which the door can
 * be opened.
 */
export function tooEarlyText(refusal: string, date: string): string {
  return `${refusal} Komm am ${formatDay(date)} wieder!`;
}

/**
 * Returns the next door to open: today's, or else the first unopened one; `undefined` if all doors
 * up to today are open.
 */
export function findWaitingDoor(images: readonly CalendarImage[], today: string): CalendarImage | undefined {
  const waiting = images.filter((image) => isWaiting(image, today));
  return waiting.find(({ date }) => date === today) ?? waiting[0];
}

/** Returns a sentence about the doors that can be opened or about the next opening. */
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

/**
 * Returns the label for the doors that the member fills. `hasNews` is `true` if an administrator
 * has changed one of these doors.
 */
export function ownDoorsText(doors: readonly OwnDoor[], hasNews = false): string {
  if (hasNews) return "Neues zu deinen Türchen";
  const empty = doors.filter(({ picture }) => picture === null);
  if (empty.length > 1) return `${empty.length} Türchen warten auf Bilder von dir.`;
  if (empty.length === 1) return `Türchen ${dayNumber(empty[0]!.date)} wartet auf ein Bild von dir.`;
  return doors.length === 1 ? "Dein Türchen" : "Deine Türchen";
}

/**
 * Returns how many members have opened a door, as a count ("9 von 12") and the rest of the
 * sentence; `null` if unknown.
 */
export function openedTexts({ opened, members }: CalendarImage): [count: string, rest: string] | null {
  if (opened === undefined) return null;
  return [`${opened} von ${members}`, opened === 1 ? "hat geöffnet" : "haben geöffnet"];
}

/** Returns a message which explains why a file cannot be opened as a picture. */
export function unreadableText({ name, type }: { readonly name: string; readonly type: string }): string {
  if (/\.hei[cf]$/i.test(name) || /hei[cf]/.test(type))
    return "HEIC-Fotos kann dieses Gerät nicht öffnen. Nimm das Foto als JPG, oder lade es vom iPhone aus hoch.";
  return "Dieses Bild lässt sich nicht öffnen. Nimm eins in JPG oder PNG.";
}

/**
 * Returns the caption of an opened door: the name of its member, and how many members have opened
 * it.
 */
export function pictureText(image: CalendarImage): string {
  const by = image.is_empty ? emptyText(image) : image.by === undefined ? [] : `Von ${image.by}`;
  return [by, openedTexts(image)?.join(" ") ?? []].flat().join(" · ");
}

/** Returns the sentence for an opened door to which no picture was uploaded. */
export function emptyText({ late }: CalendarImage): string {
  return late === undefined ? "Hier war jemand zu langsam" : `${late} war zu langsam`;
}

/** Joins door numbers for a sentence, e.g. "3, 20 und 23". */
function listDoors(dates: readonly string[]): string {
  return formatList(dates.map((date) => String(dayNumber(date))));
}

/** Maximum number of doors that a sentence lists by number. */
const mostNumbers = 5;

/** Returns the message about the doors that a member drew in a lottery. */
export function drawnText(dates: readonly string[]): string {
  if (dates.length === 1) return `Du hast Türchen ${listDoors(dates)} gezogen!`;
  if (dates.length > mostNumbers) return `Du hast ${dates.length} Türchen gezogen!`;
  return `Du hast ${listDoors(dates)} gezogen!`;
}

/** Returns the message that reminds a member of empty doors. `dates` are in ascending order. */
export function reminderText(dates: readonly string[], today: string): string {
  const next = dates[0]!;
  const isTomorrow = Date.parse(next) - Date.parse(today) <= dayMs;
  const begins = isTomorrow ? "morgen" : `am ${formatDay(next)}`;
  if (dates.length === 1) return `Türchen ${listDoors(dates)} braucht noch ein Bild von dir. Es geht ${begins} auf.`;
  return `Türchen ${listDoors(dates)} brauchen noch Bilder von dir. Das erste geht ${begins} auf.`;
}

const dayMs = 24 * 60 * 60_000;

/** Returns the id of a door's HTML element. */
export function doorId(date: string): string {
  return `tuerchen-${date}`;
}

/** Returns the volume (0 to 1) after one step of fading in. */
export function raiseVolume(volume: number): number {
  return Math.min(1, Math.round(volume * 100 + 1) / 100);
}

/** Returns the volume (0 to 1) after one step of fading out. */
export function lowerVolume(volume: number): number {
  return Math.max(0, Math.round(volume * 100 - 5) / 100);
}

/** Milliseconds between two steps of a fade. */
export const fadeStepMs = 50;

/** Position, size and animation of a snowflake. */
export interface Flake {
  /** Distance from the left edge in percent. */
  readonly left: number;
  /** Size in rem. */
  readonly size: number;
  /**
   * Seconds by which the fall and the sway of a flake are advanced at the start, different for each
   * flake, so that the flakes do not move in sync.
   */
  readonly fallOffset: number;
  readonly swayOffset: number;
}

export const flakes: readonly Flake[] = Array.from({ length: 11 }, (_, index) => ({
  left: 2 + ((index * 37) % 95),
  size: 0.9 + ((index * 5) % 7) * 0.15,
  fallOffset: (index * 3.7) % 10,
  swayOffset: (index * 1.3) % 3,
}));

/**
 * Returns the years to choose from: all years with doors, and the current year even if it has none.
 */
export function listYears(
  { years, year }: { years: readonly number[]; year: number },
  archive: number | null,
): number[] {
  return archive === null && !years.includes(year) ? [year, ...years] : [...years];
}
