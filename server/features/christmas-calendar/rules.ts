import * as z from "zod/mini";

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

/**
 * Deals these days among the members, at random and as evenly as possible: the next one always goes to one of those who have
 * the fewest. `pick` returns a random whole number below the given one.
 */
export function dealDoors(
  dates: readonly string[],
  holders: readonly Holder[],
  pick: (below: number) => number,
): { date: string; user_id: number }[] {
  const held = shuffle(holders, pick).map((holder) => ({ ...holder }));
  return shuffle(dates, pick).map((date) => {
    const next = held.reduce((fewest, one) => (one.doors < fewest.doors ? one : fewest));
    next.doors += 1;
    return { date, user_id: next.userId };
  });
}

function shuffle<Item>(items: readonly Item[], pick: (below: number) => number): Item[] {
  const rest = [...items];
  return items.map(() => rest.splice(pick(rest.length), 1)[0]!);
}

/** What the lottery says it did; `without` members have no door. */
export function describeLottery(dealt: number, without: number): string {
  if (dealt === 0) return "Es ist kein Türchen mehr frei.";
  const told = dealt === 1 ? "1 Türchen ist verlost." : `${dealt} Türchen sind verlost.`;
  if (without === 0) return told;
  return `${told} ${without === 1 ? "1 Mitglied hat" : `${without} Mitglieder haben`} keins.`;
}

/** When members are reminded of their empty doors, in the group's time zone. */
const reminderHours = { from: "10:00", until: "20:00" } as const;

export function isReminderTime(time: string): boolean {
  return reminderHours.from <= time && time < reminderHours.until;
}

/** How many reminders of an empty door have been sent when today ends: one three days before its day, another one the day before. */
export function countDueReminders(date: string, today: string): number {
  const daysLeft = (Date.parse(date) - Date.parse(today)) / days(1);
  if (daysLeft < 1 || daysLeft > 3) return 0;
  return daysLeft === 1 ? 2 : 1;
}

/** The reminder of the door of `date`. */
export function reminderText(date: string, today: string): string {
  const begins =
    countDueReminders(date, today) === 2 ? "Morgen geht es auf" : `Es geht am ${dayNumber(date)}. Dezember auf`;
  return `Türchen ${dayNumber(date)} braucht noch ein Bild von dir: ${begins}.`;
}
