import { days, hours, minutes } from "#server/time.ts";

/** How long a link is valid, in ms: one that was mailed, and one that an administrator or the command line made. */
export const linkLifetimeMs = { mailed: hours(1), handedOver: hours(4) } as const;

/** How many valid links a member can have. */
export const maxLiveLinks = 3;

/** Notices are delivered for up to a day. */
export const noticeLifetimeMs = days(1);

/** Each limit is multiplied by RATE_LIMIT_FACTOR. */
export const throttle = {
  perAddress: { limit: 20, windowMs: hours(1) },
  /** Beyond these no mail is sent, and the answer stays the same. */
  perAccount: [
    { limit: 1, windowMs: minutes(1) },
    { limit: 5, windowMs: hours(1) },
  ],
} as const;

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
