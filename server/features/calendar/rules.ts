import * as z from "zod/mini";

import { getCalendarPreview } from "#contract/calendar-doors.ts";
import { type OwnDoor, dayNumber, getCalendarPicture } from "#contract/christmas-calendar.ts";
import { days } from "#server/time.ts";

/** Number of doors of a calendar, one for each day from 1 to 24 December. */
const doorCount = 24;

/** Returns the 24 days of a year's calendar as `YYYY-MM-DD`. */
export function calendarDays(year: number): string[] {
  return Array.from({ length: doorCount }, (_, index) => `${year}-12-${String(index + 1).padStart(2, "0")}`);
}

/** Returns the year of the shown calendar: this year from 1 November on, before that the previous year. */
export function shownCalendarYear(today: string): number {
  const year = Number(today.slice(0, 4));
  return today.slice(5) >= "11-01" ? year : year - 1;
}

/** Returns `true` if the text is an existing day as `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}

/** Returns `true` if the day is one of the 24 of its year's calendar. */
export function isCalendarDay(date: string): boolean {
  return calendarDays(Number(date.slice(0, 4))).includes(date);
}

export function pictureUrl(id: string): string {
  return getCalendarPicture.path.replace(":id", id);
}

/** Returns the URL of a picture for administrators, which also works before the door's day. */
export function previewUrl(id: string): string {
  return getCalendarPreview.path.replace(":id", id);
}

/** Returns the year of the next calendar door to open; next year from 25 December on. */
export function nextCalendarYear(today: string): number {
  const year = Number(today.slice(0, 4));
  return today > calendarDays(year).at(-1)! ? year + 1 : year;
}

/** The number of doors assigned to a member in a year. */
export interface DoorCount {
  readonly userId: number;
  readonly doors: number;
}

/**
 * Returns the days of the doors that a lottery can deal: without a picture, before their day, and
 * not assigned to an enabled member.
 */
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

/**
 * Returns `true` if the door's member may still fill the door or change its picture. An empty door
 * can be filled until its year ends.
 */
export function canFill(date: string, today: string, hasPicture: boolean): boolean {
  return date > today || (!hasPicture && date.slice(0, 4) === today.slice(0, 4));
}

/** Times of day, in the group's time zone, between which reminders of empty doors are sent. */
const reminderHours = { from: "10:00", until: "20:00" } as const;

export function isReminderTime(time: string): boolean {
  return reminderHours.from <= time && time < reminderHours.until;
}

/** Numbers of days before the day of an empty door at which its member is reminded. */
const reminderDays = [7, 3, 1];

/** Returns the number of reminders of an empty door that are due by the end of today; 0 once its day has begun. */
export function countDueReminders(date: string, today: string): number {
  const daysLeft = (Date.parse(date) - Date.parse(today)) / days(1);
  return daysLeft < 1 ? 0 : reminderDays.filter((limit) => daysLeft <= limit).length;
}

/** Returns the text of a reminder of a member's empty doors; `dates` are in ascending order. */
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

/** Formats door numbers for a sentence: "3, 20 und 23". */
export function listDoorNumbers(dates: readonly string[]): string {
  return new Intl.ListFormat("de-DE").format(dates.map((date) => String(dayNumber(date))));
}

const emptyDrawings = 3;

/**
 * Returns the id of the built-in drawing behind an empty door. Neighbouring doors have different
 * drawings.
 */
export function emptyDoorId(date: string): string {
  return `empty-${1 + (dayNumber(date) % emptyDrawings)}`;
}

export function isEmptyDoorId(id: string): boolean {
  return /^empty-[1-3]$/.test(id);
}

/** Converts a database row to an own door for the page of its member. */
export function toOwnDoor(
  { date, id, text, is_hidden }: { date: string; id: string | null; text: string | null; is_hidden: number },
  canRestore: boolean,
): OwnDoor {
  const picture = id === null ? null : pictureUrl(id);
  return { date, picture, text, is_hidden: is_hidden === 1, can_restore: canRestore };
}
