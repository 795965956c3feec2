import type { Generated } from "kysely";

import { days } from "#server/time.ts";
import type { TimePolicy } from "./future-times.ts";

/**
 * Columns that limit the guessing of passwords. `failed_logins`: number of consecutive wrong passwords. `locked_until`:
 * time of the monotonic clock until which further attempts are refused.
 */
export interface FailureCount {
  failed_logins: Generated<number>;
  locked_until: Generated<number>;
}

/** Limit of `locked_until`; `ahead` is the longest pause. */
export const pauseTimes = { ahead: days(1), isMonotonic: true } as const satisfies TimePolicy;
