import { days } from "#server/time.ts";

/** Above every id. */
export const maxEventId = 2 ** 31 - 1;

/** Older events are deleted, in ms. */
export const maxEventAgeMs = days(90);
