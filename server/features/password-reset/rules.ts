import { minutes } from "#server/time.ts";

const minute = minutes(1);
const hour = 60 * minute;

/** How long a link is valid, in ms: one that was mailed, and one that an administrator or the command line made. */
export const linkLifetimeMs = { mailed: hour, handedOver: 4 * hour } as const;

/** How many valid links a member can have. */
export const maxLiveLinks = 3;

/** Notices are delivered for up to a day. */
export const noticeLifetimeMs = 24 * hour;

/** Each limit is multiplied by RATE_LIMIT_FACTOR. */
export const throttle = {
  perAddress: { limit: 20, windowMs: hour },
  /** Beyond these no mail is sent, and the answer stays the same. */
  perAccount: [
    { limit: 1, windowMs: minute },
    { limit: 5, windowMs: hour },
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
