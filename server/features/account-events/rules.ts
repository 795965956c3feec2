import { days } from "#server/time.ts";

/** Older events are deleted, in ms. */
export const maxEventAgeMs = days(90);
