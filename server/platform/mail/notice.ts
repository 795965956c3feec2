import { days } from "#server/time.ts";

/** Notices are delivered for up to a day. */
export const noticeLifetimeMs = days(1);

/** E.g. `21. November 2026, 14:05 Uhr`. */
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
