import { days } from "#server/time.ts";

/** How often a member can change the address. Multiplied by RATE_LIMIT_FACTOR. */
export const emailChanges = { limit: 5, windowMs: days(1) } as const;
