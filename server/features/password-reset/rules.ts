import { hours, minutes } from "#server/time.ts";

/** Lifetime of a link in milliseconds: mailed, or created by an administrator or on the command line. */
export const linkLifetimeMs = { mailed: hours(1), fromAdmin: hours(4) } as const;

/** Maximum number of valid links per member. */
export const maxLiveLinks = 3;

/** Limits of reset requests, multiplied by RATE_LIMIT_FACTOR. */
export const throttle = {
  perAddress: { limit: 20, windowMs: hours(1) },
  /** Limits beyond which no mail is sent; the answer is the same. */
  perAccount: [
    { limit: 1, windowMs: minutes(1) },
    { limit: 5, windowMs: hours(1) },
  ],
} as const;
