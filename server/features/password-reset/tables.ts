import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/tables.ts" {
  interface Tables {
    /** Password-reset links, at most three live ones per member. One that was used or ended has no row. */
    reset_tokens: {
      id: Generated<number>;
      user_id: number;
      /** SHA-256 of the token, hex. */
      token_hash: string;
      /** 1: asked for by mail. 0: handed over by an administrator or the command line. */
      is_mailed: number;
      /** The administrator who made it; null: mailed, or made on the command line. */
      created_by: number | null;
      expires_at: number;
    };
  }
}

export const tables = {
  reset_tokens: {
    backup: "excluded",
    memberColumns: {
      user_id: { onAccountDeletion: "delete", exportedAs: "reset_links" },
      // Links for others; they end with the account that made them.
      created_by: { onAccountDeletion: "by-feature", exportedAs: null },
    },
  },
} satisfies TablePolicies;
