import { hours } from "#server/time.ts";

/** `fromAdmin` includes links from the command line. */
export const linkLifetimeMs = { mailed: hours(1), fromAdmin: hours(4) } as const;

export const maxLiveLinks = 3;

export const throttle = {
  perAddress: { limit: 20, seconds: hours(1) / 1000 },
  /** Beyond these, no mail is sent, but the answer stays the same. */
  perAccount: [
    { limit: 1, seconds: 60 },
    { limit: 5, seconds: hours(1) / 1000 },
  ],
} as const;
