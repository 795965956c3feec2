import { type CalendarImage, type OwnDoor, dayNumber } from "#contract/christmas-calendar.ts";
import { formatDay, formatList } from "#web/ui/german.ts";

export function tooEarlyText(refusal: string, date: string): string {
  return `${refusal} Komm am ${formatDay(date, "day")} wieder!`;
}

/** Returns today's door, or else the first unopened one. */
export function findWaitingDoor(images: readonly CalendarImage[], today: string): CalendarImage | undefined {
  const waiting = images.filter((image) => isWaiting(image, today));
  return waiting.find(({ date }) => date === today) ?? waiting[0];
}

export function progressText(images: readonly CalendarImage[], today: string): string {
  const waiting = images.filter((image) => isWaiting(image, today)).length;
  if (images.every(({ url }) => url !== "")) return "Alle Türchen sind offen. Frohe Weihnachten!";
  if (waiting === 1) return "Ein Türchen wartet auf dich.";
  if (waiting > 1) return `${waiting} Türchen warten auf dich.`;
  const next = images.find(({ date }) => date > today);
  return next === undefined ? "" : `Das nächste Türchen geht am ${formatDay(next.date, "day")} auf.`;
}

function isWaiting({ url, date }: CalendarImage, today: string): boolean {
  return url === "" && date <= today;
}

/** Takes `hasNews` if an administrator has changed one of the doors. */
export function ownDoorsText(doors: readonly OwnDoor[], hasNews = false): string {
  if (hasNews) return "Neues zu deinen Türchen";
  const empty = doors.filter(({ picture }) => picture === null);
  if (empty.length > 1) return `${empty.length} Türchen warten auf Bilder von dir.`;
  if (empty.length === 1) return `Türchen ${dayNumber(empty[0]!.date)} wartet auf ein Bild von dir.`;
  return doors.length === 1 ? "Dein Türchen" : "Deine Türchen";
}

export function openedTexts({ opened, members }: CalendarImage): [count: string, rest: string] | null {
  if (opened === undefined) return null;
  return [`${opened} von ${members}`, opened === 1 ? "hat geöffnet" : "haben geöffnet"];
}

export function unreadableText({ name, type }: { readonly name: string; readonly type: string }): string {
  if (/\.hei[cf]$/i.test(name) || /hei[cf]/.test(type))
    return "HEIC-Fotos kann dieses Gerät nicht öffnen. Nimm das Foto als JPG, oder lade es vom iPhone aus hoch.";
  return "Dieses Bild lässt sich nicht öffnen. Nimm eins in JPG oder PNG.";
}

export function pictureText(image: CalendarImage): string {
  const by = image.is_empty ? emptyText(image) : image.by === undefined ? [] : `Von ${image.by}`;
  return [by, openedTexts(image)?.join(" ") ?? []].flat().join(" · ");
}

export function emptyText({ late }: CalendarImage): string {
  return late === undefined ? "Hier war jemand zu langsam" : `${late} war zu langsam`;
}

function listDoors(dates: readonly string[]): string {
  return formatList(dates.map((date) => String(dayNumber(date))));
}

const mostNumbers = 5;

export function drawnText(dates: readonly string[]): string {
  if (dates.length === 1) return `Du hast Türchen ${listDoors(dates)} gezogen!`;
  if (dates.length > mostNumbers) return `Du hast ${dates.length} Türchen gezogen!`;
  return `Du hast ${listDoors(dates)} gezogen!`;
}

/** Takes dates in ascending order. */
export function reminderText(dates: readonly string[], today: string): string {
  const next = dates[0]!;
  const isTomorrow = Date.parse(next) - Date.parse(today) <= dayMs;
  const begins = isTomorrow ? "morgen" : `am ${formatDay(next, "day")}`;
  if (dates.length === 1) return `Türchen ${listDoors(dates)} braucht noch ein Bild von dir. Es geht ${begins} auf.`;
  return `Türchen ${listDoors(dates)} brauchen noch Bilder von dir. Das erste geht ${begins} auf.`;
}

const dayMs = 24 * 60 * 60_000;

export function doorId(date: string): string {
  return `door-${date}`;
}

/** Returns also the current year without doors. */
export function listYears(
  { years, year }: { years: readonly number[]; year: number },
  archive: number | null,
): number[] {
  return archive === null && !years.includes(year) ? [year, ...years] : [...years];
}

const paints = ["#2c6b46", "#a5382c", "#2f5f8f", "#8f5a26"];

export function doorPaint(date: string): string {
  return paints[dayNumber(date) % paints.length]!;
}
