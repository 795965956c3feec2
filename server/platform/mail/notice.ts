import { days } from "#server/time.ts";

/** Milliseconds during which a notice may be delivered. */
export const noticeLifetimeMs = days(1);

/** Formats a time, e.g. `21. November 2026, 14:05 Uhr`. */
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
