import type { Generated } from "kysely";

import { days } from "#server/time.ts";
import type { TimePolicy } from "./future-times.ts";

/** Limits the guessing of passwords. `locked_until` is a time of the monotonic clock. */
export interface FailureCount {
  failed_logins: Generated<number>;
  locked_until: Generated<number>;
}

/** `ahead` is the longest pause. */
export const pauseTimes = { ahead: days(1), isMonotonic: true } as const satisfies TimePolicy;
