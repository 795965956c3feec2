import * as z from "zod/mini";

import { getCalendarPreview } from "#contract/calendar-doors.ts";
import { type OwnDoor, dayNumber, getCalendarPicture } from "#contract/christmas-calendar.ts";
import { days } from "#server/time.ts";

const doorCount = 24;

/** Time for which a removed picture can be restored. */
export const restorableMs = days(1);

/** Returns 24 days as `YYYY-MM-DD`. */
export function calendarDays(year: number): string[] {
  return Array.from({ length: doorCount }, (_, index) => `${year}-12-${String(index + 1).padStart(2, "0")}`);
}

/** Returns this year from 1 November on, before that the previous year. */
export function shownCalendarYear(today: string): number {
  const year = Number(today.slice(0, 4));
  return today.slice(5) >= "11-01" ? year : year - 1;
}

/** Accepts existing days as `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}

export function isCalendarDay(date: string): boolean {
  return calendarDays(Number(date.slice(0, 4))).includes(date);
}

export function pictureUrl(id: string): string {
  return getCalendarPicture.path.replace(":id", id);
}

/** Returns the URL for administrators, which also works before the door's day. */
export function previewUrl(id: string): string {
  return getCalendarPreview.path.replace(":id", id);
}

/** Returns next year from 25 December on. */
export function nextCalendarYear(today: string): number {
  const year = Number(today.slice(0, 4));
  return today > calendarDays(year).at(-1)! ? year + 1 : year;
}

export interface DoorCount {
  readonly userId: number;
  readonly doors: number;
}

/** Returns the days after today without a picture and without an enabled owner. */
export function findFreeDays(
  year: number,
  today: string,
  pictures: readonly { date: string }[],
  assignments: readonly { date: string; disabled_at: number | null }[],
): string[] {
  const owned = assignments.filter(({ disabled_at }) => disabled_at === null);
  const taken = new Set([...pictures, ...owned].map(({ date }) => date));
  return calendarDays(year).filter((date) => date > today && !taken.has(date));
}

/** An empty door can be filled until its year ends. */
export function canFill(date: string, today: string, hasPicture: boolean): boolean {
  return date > today || (!hasPicture && date.slice(0, 4) === today.slice(0, 4));
}

/** In the group's time zone. */
const reminderHours = { from: "10:00", until: "20:00" } as const;

export function isReminderTime(time: string): boolean {
  return reminderHours.from <= time && time < reminderHours.until;
}

/** Days before the day of an empty door. */
const reminderDays = [7, 3, 1];

/** Counts the reminders due by the end of today; 0 once the door's day has begun. */
export function countDueReminders(date: string, today: string): number {
  const daysLeft = (Date.parse(date) - Date.parse(today)) / days(1);
  return daysLeft < 1 ? 0 : reminderDays.filter((limit) => daysLeft <= limit).length;
}

/** `dates` are in ascending order. */
export function reminderText(dates: readonly string[], today: string): string {
  const next = dates[0]!;
  const isTomorrow = countDueReminders(next, today) === reminderDays.length;
  const numbers = listDoorNumbers(dates);
  if (dates.length === 1) {
    const begins = isTomorrow ? "Morgen geht es auf" : `Es geht am ${dayNumber(next)}. Dezember auf`;
    return `Türchen ${numbers} braucht noch ein Bild von dir: ${begins}.`;
  }
  const begins = isTomorrow ? "Das erste geht morgen auf" : `Das erste geht am ${dayNumber(next)}. Dezember auf`;
  return `Türchen ${numbers} brauchen noch Bilder von dir: ${begins}.`;
}

/** Formats e.g. "3, 20 und 23". */
export function listDoorNumbers(dates: readonly string[]): string {
  return new Intl.ListFormat("de-DE").format(dates.map((date) => String(dayNumber(date))));
}

const emptyDrawings = 3;

/** Returns different drawings for neighbouring doors. */
export function emptyDoorId(date: string): string {
  return `empty-${1 + (dayNumber(date) % emptyDrawings)}`;
}

export function isEmptyDoorId(id: string): boolean {
  return /^empty-[1-3]$/.test(id);
}

export function toOwnDoor(
  { date, id, text, is_hidden }: { date: string; id: string | null; text: string | null; is_hidden: number },
  canRestore: boolean,
): OwnDoor {
  const picture = id === null ? null : pictureUrl(id);
  return { date, picture, text, is_hidden: is_hidden === 1, can_restore: canRestore };
}
