import { days } from "#server/time.ts";

/** For mails that inform about an event, e.g. a login. */
export const noticeLifetimeMs = days(1);

/** Formats epoch ms in German, e.g. `21. November 2026, 14:05 Uhr`. */
export function formatDateTime(time: number, timeZone: string): string {
  const text = new Intl.DateTimeFormat("de-DE", {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
  }).format(time);
  return `${text.replace(" um ", ", ")} Uhr`;
}
