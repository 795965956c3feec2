import { hours } from "#server/time.ts";

/**
 * Lifetime in milliseconds of reset links that are mailed, and of those that an administrator or
 * the operator creates.
 */
export const linkLifetimeMs = { mailed: hours(1), fromAdmin: hours(4) } as const;

/** Maximum number of valid reset links per member. */
export const maxLiveLinks = 3;

/** Limits on reset requests. */
export const throttle = {
  perAddress: { limit: 20, seconds: hours(1) / 1000 },
  /** Limits per account. Beyond these limits no mail is sent, but the answer stays the same. */
  perAccount: [
    { limit: 1, seconds: 60 },
    { limit: 5, seconds: hours(1) / 1000 },
  ],
} as const;
