import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/tables.ts" {
  interface Tables {
    /** The failures are those of guests; sessions and known devices count their own. */
    users: FailureCount & {
      id: Generated<number>;
      uname: string;
      /** Folded, so that no two members look alike. */
      uname_key: string;
      name: string;
      email: string;
      email_key: string;
      /** A PHC string, `$argon2id$…`; empty: the account was deleted. */
      password_hash: string;
      /** JSON list of permissions. */
      permissions: string;
      avatar_id: string | null;
      disabled_at: number | null;
      created_at: number;
      /** By which he or she came; null where it is not known. */
      invitation_id: number | null;
      last_login_at: number | null;
      /** Whether the others see that he or she is present. */
      is_shown: Generated<number>;
      /** Whether the member is not in the ranking, and others are not notified of their beers. */
      is_paused: Generated<number>;
      /** 0 if the others do not see the member's page. */
      is_mat_shown: Generated<number>;
      /** Number of the newest news that the member has seen (contract/news.ts). */
      news_seen: Generated<number>;
    };
    pictures: { id: string; user_id: number; png: Buffer; created_at: number };
  }
}

export const tables = {
  users: { backup: "included" },
  pictures: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "pictures" } },
  },
} satisfies TablePolicies;
