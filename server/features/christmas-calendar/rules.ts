import * as z from "zod/mini";

import type { OwnDoor } from "#contract/christmas-calendar.ts";
import { days } from "#server/time.ts";

/** 1 to 24 December. */
const doorCount = 24;

/** The 24 days, `YYYY-MM-DD`, of a year's calendar. */
export function calendarDays(year: number): string[] {
  return Array.from({ length: doorCount }, (_, index) => `${year}-12-${String(index + 1).padStart(2, "0")}`);
}

/** The year of the current calendar: from 1 November on this year's, before that the last one. */
export function shownCalendarYear(today: string): number {
  const year = Number(today.slice(0, 4));
  return today.slice(5) >= "11-01" ? year : year - 1;
}

/** Whether the text is a day that exists, as `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}

/** Whether the day is one of the 24 of its year's calendar. */
export function isCalendarDay(date: string): boolean {
  return calendarDays(Number(date.slice(0, 4))).includes(date);
}

/** The number on a door: the day of its month. */
export function dayNumber(date: string): number {
  return Number(date.slice(8));
}

export function pictureUrl(id: string): string {
  return `/internal/images/calendar/${id}`;
}

/** The address of a picture for administrators, open or not. */
export function previewUrl(id: string): string {
  return `/internal/images/calendar-preview/${id}`;
}

/** The year of the next door to open. */
export function nextCalendarYear(today: string): number {
  const year = Number(today.slice(0, 4));
  return today > calendarDays(year).at(-1)! ? year + 1 : year;
}

/** How many of a year's doors a member has. */
export interface Holder {
  readonly userId: number;
  readonly doors: number;
}

/** The doors that a dealing deals: empty, still closed, and not assigned to an enabled member. */
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

/** Returns `true` if the member of this door may still fill it, or change its picture. An empty door may be filled until the year ends. */
export function canFill(date: string, today: string, hasPicture: boolean): boolean {
  return date > today || (!hasPicture && date.slice(0, 4) === today.slice(0, 4));
}

/** When members are reminded of their empty doors, in the group's time zone. */
const reminderHours = { from: "10:00", until: "20:00" } as const;

export function isReminderTime(time: string): boolean {
  return reminderHours.from <= time && time < reminderHours.until;
}

/** Days before the day of an empty door on which its member is reminded. */
const reminderDays = [7, 3, 1];

/** Returns the number of reminders of an empty door that are due by the end of today; 0 once its day has begun. */
export function countDueReminders(date: string, today: string): number {
  const daysLeft = (Date.parse(date) - Date.parse(today)) / days(1);
  return daysLeft < 1 ? 0 : reminderDays.filter((limit) => daysLeft <= limit).length;
}

/** The reminder of a member's empty doors; `dates` in order. */
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

/** Door numbers in a sentence: "3, 20 und 23". */
export function listDoorNumbers(dates: readonly string[]): string {
  return new Intl.ListFormat("de-DE").format(dates.map((date) => String(dayNumber(date))));
}

const emptyDrawings = 3;

/** The id of our drawing behind an empty door; neighbours have different ones. */
export function emptyDoorId(date: string): string {
  return `empty-${1 + (dayNumber(date) % emptyDrawings)}`;
}

export function isEmptyDoorId(id: string): boolean {
  return /^empty-[1-3]$/.test(id);
}

/** A door as its member sees it. */
export function toOwnDoor(
  { date, id, text, is_hidden }: { date: string; id: string | null; text: string | null; is_hidden: number },
  canRestore: boolean,
): OwnDoor {
  const picture = id === null ? null : pictureUrl(id);
  return { date, picture, text, is_hidden: is_hidden === 1, can_restore: canRestore };
}
