import { days } from "#server/time.ts";

/** Age in milliseconds at which account events are deleted. */
export const maxEventAgeMs = days(90);
