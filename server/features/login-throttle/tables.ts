import { type FailureCount, pauseTimes } from "#server/db/failure-count.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";
import { deviceLifetimeMs, longestWindowMs } from "./rules.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /** Browsers that have logged in to an account before. A shared browser has a row for each of its members. */
    known_devices: FailureCount & {
      /** SHA-256 of the device cookie in hex. */
      id: string;
      user_id: number;
      last_login_at: number;
    };
    /**
     * Password attempts per fixed time window. Stored, so that a restart does not reset the counts.
     */
    login_attempts: { key: string; attempts: number; resets_at: number };
  }
}

export const tables = {
  known_devices: {
    backup: "excluded",
    times: {
      last_login_at: { ahead: deviceLifetimeMs },
      locked_until: pauseTimes,
    },
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "known_browsers" } },
  },
  login_attempts: {
    backup: "excluded",
    times: { resets_at: { ahead: longestWindowMs, isMonotonic: true } },
  },
} satisfies TablePolicies;
