import { days } from "#server/time.ts";

/** Milliseconds after which a removed picture is deleted and can no longer be restored. */
export const restorableMs = days(1);
