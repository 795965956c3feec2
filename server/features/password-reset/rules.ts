const minute = 60_000;
const hour = 60 * minute;

/** How long a link is good, in ms: one that was mailed, and one that an administrator or the command line made. */
export const linkLifetimeMs = { mailed: hour, handedOver: 4 * hour } as const;

/** A member has at most so many live links. */
export const maxLiveLinks = 3;

/** A notice is still worth reading a day later. */
export const noticeLifetimeMs = 24 * hour;

/** Each limit is multiplied by RATE_LIMIT_FACTOR. */
export const throttle = {
  perAddress: { limit: 20, windowMs: hour },
  /** Beyond these an account gets no mail, without a word. */
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
