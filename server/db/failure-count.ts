import type { Generated } from "kysely";

/**
 * Columns that count wrong passwords: `failed_logins` in a row, and the time in epoch ms until
 * which further attempts are refused.
 */
export interface FailureCount {
  failed_logins: Generated<number>;
  locked_until: Generated<number>;
}
