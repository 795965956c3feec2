import { hours, minutes } from "#server/time.ts";

/** How long a link is valid, in ms: one that was mailed, and one that an administrator or the command line made. */
export const linkLifetimeMs = { mailed: hours(1), handedOver: hours(4) } as const;

/** How many valid links a member can have. */
export const maxLiveLinks = 3;

/** Each limit is multiplied by RATE_LIMIT_FACTOR. */
export const throttle = {
  perAddress: { limit: 20, windowMs: hours(1) },
  /** Beyond these no mail is sent, and the answer stays the same. */
  perAccount: [
    { limit: 1, windowMs: minutes(1) },
    { limit: 5, windowMs: hours(1) },
  ],
} as const;
