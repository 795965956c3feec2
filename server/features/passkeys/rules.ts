import { minutes } from "#server/time.ts";

/** Milliseconds within which the browser must return the signed challenge of a passkey. */
export const challengeLifetimeMs = minutes(5);
