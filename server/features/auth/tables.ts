import type { FailureCount } from "#server/db/failure-count.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";

export interface AuthTables {
  sessions: FailureCount & {
    /** SHA-256 of the id in the cookie, in hex. */
    id: string;
    user_id: number;
    is_remembered: number;
    user_agent: string;
    created_at: number;
    last_seen_at: number;
    /** Epoch ms when the password was last entered in this session. */
    confirmed_at: number;
    /** Epoch ms when a passkey was last used in this session; `null` if never. */
    passkey_at: number | null;
  };
}

export const tables = {
  sessions: {
    backup: "excluded",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "devices" } },
  },
} satisfies TablePolicies;
