import type { Generated } from "kysely";

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
    /**
     * Epoch ms when a password or passkey was last entered, or the member last logged in at the
     * OpenID provider, in this session.
     */
    confirmed_at: number;
    /** Epoch ms when a passkey was last used in this session; `null` if never. */
    passkey_at: number | null;
    /** 1 if the member logged in with OpenID; a logout then also ends the session at the provider. */
    is_from_oidc: Generated<number>;
  };
}

export const tables = {
  sessions: {
    backup: "excluded",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "devices" } },
  },
} satisfies TablePolicies;
