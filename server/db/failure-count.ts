import type { Generated } from "kysely";

/**
 * Columns that limit the guessing of passwords. `failed_logins`: number of consecutive wrong
 * passwords. `locked_until`: time in epoch ms until which further attempts are refused.
 */
export interface FailureCount {
  failed_logins: Generated<number>;
  locked_until: Generated<number>;
}
