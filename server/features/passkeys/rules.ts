import { minutes } from "#server/time.ts";

/** Time in which the browser must sign a challenge, in milliseconds. */
export const challengeLifetimeMs = minutes(5);
