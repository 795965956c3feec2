import { days } from "#server/time.ts";

/** Limit on changes of a member's email address, before the multiplication by RATE_LIMIT_FACTOR. */
export const emailChanges = { limit: 5, windowMs: days(1) } as const;
