import { days } from "#server/time.ts";

/** Time for which a removed picture can be restored. */
export const restorableMs = days(1);
