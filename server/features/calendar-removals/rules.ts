import { days } from "#server/time.ts";

/** Milliseconds in which a picture that was taken down can be hung again; then it is deleted. */
export const restorableMs = days(1);
