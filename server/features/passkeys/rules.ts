import { minutes } from "#server/time.ts";

/** How long a challenge can be answered, in ms. */
export const challengeLifetimeMs = minutes(5);
