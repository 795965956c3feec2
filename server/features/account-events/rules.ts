import { days } from "#server/time.ts";

/** Milliseconds after which events are deleted. */
export const maxEventAgeMs = days(90);
