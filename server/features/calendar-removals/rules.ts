import { days } from "#server/time.ts";

/** How long a picture that was taken down can be hung again, in ms; then it is deleted. */
export const restorableMs = days(1);
