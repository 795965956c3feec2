import * as z from "zod/mini";

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

/** Whether these bytes begin like a JPEG or a PNG. */
export function isJpegOrPng(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 8).toString("latin1");
  return head.startsWith("\xff\xd8\xff") || head.startsWith("\x89PNG\r\n\x1a\n");
}

/** Whether these bytes begin like a JPEG, a PNG or a WebP. */
export function isPicture(bytes: Buffer): boolean {
  return isJpegOrPng(bytes) || /^RIFF.{4}WEBP$/s.test(bytes.subarray(0, 12).toString("latin1"));
}

/** The content type of an audio file by its first bytes: MP3, M4A or Ogg; null for anything else. */
export function detectAudioType(bytes: Buffer): "audio/mpeg" | "audio/mp4" | "audio/ogg" | null {
  const isMpegFrame = bytes[0] === 0xff && (bytes[1]! & 0xe6) === 0xe2;
  if (bytes.subarray(0, 3).toString("latin1") === "ID3" || isMpegFrame) return "audio/mpeg";
  if (bytes.subarray(0, 4).toString("latin1") === "OggS") return "audio/ogg";
  const brand = bytes.subarray(4, 11).toString("latin1");
  return /^ftyp(M4A|mp4|iso|das)/.test(brand) ? "audio/mp4" : null;
}
