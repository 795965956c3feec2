import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/tables.ts" {
  interface Tables {
    sessions: FailureCount & {
      /** SHA-256 of the id in the cookie, hex. */
      id: string;
      user_id: number;
      is_remembered: number;
      user_agent: string;
      created_at: number;
      last_seen_at: number;
      /** When the password was last entered in this session. */
      confirmed_at: number;
      /** When a passkey was last used in this session; null: never. */
      passkey_at: number | null;
    };
  }
}

export const tables = {
  sessions: {
    backup: "excluded",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "devices" } },
  },
} satisfies TablePolicies;
