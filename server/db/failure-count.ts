import type { Generated } from "kysely";

/** Number of consecutive wrong passwords, and the end (epoch ms) of the pause before the next attempt. */
export interface FailureCount {
  failed_logins: Generated<number>;
  locked_until: Generated<number>;
}
