import { days } from "#server/time.ts";

/** Limit for changes of a member's email address, multiplied by RATE_LIMIT_FACTOR. */
export const emailChanges = { limit: 5, windowMs: days(1) } as const;
