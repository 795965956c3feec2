import { minutes } from "#server/time.ts";

/** How long a browser has for its answer, in ms. */
export const challengeLifetimeMs = minutes(5);
