import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/tables.ts" {
  interface Tables {
    /** Browsers that have logged in to an account before. One that several members use has a row for each. */
    known_devices: FailureCount & {
      /** SHA-256 of the device cookie, hex. */
      id: string;
      user_id: number;
      last_login_at: number;
    };
    /** Attempts counted in a fixed window; in the database, so that a restart forgets nothing. */
    login_attempts: { key: string; attempts: number; resets_at: number };
  }
}

export const tables = {
  known_devices: {
    backup: "excluded",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "known_browsers" } },
  },
  login_attempts: { backup: "excluded" },
} satisfies TablePolicies;
