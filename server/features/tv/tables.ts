import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/tables.ts" {
  interface Tables {
    /** Televisions that show the counter. One whose link is revoked has no row. */
    tv_links: {
      id: Generated<number>;
      /** Where it stands, as an administrator called it. */
      name: string;
      /** SHA-256 of the token, hex. */
      token_hash: string;
      created_by: number | null;
      created_at: number;
      last_used_at: number | null;
    };
    /** Codes on televisions that are not connected yet, or were within the lifetime of the code. */
    tv_pairings: {
      id: Generated<number>;
      /** SHA-256 of the code, hex. */
      code_hash: string;
      /** SHA-256 of the television's own secret, hex: the `token_hash` of its link. */
      secret_hash: string;
      expires_at: number;
      /** `null` until an administrator has entered the code. */
      paired_at: number | null;
    };
  }
}

export const tables = {
  tv_links: {
    backup: "excluded",
    memberColumns: {
      // Links of the group; they end with the account that made them.
      created_by: { onAccountDeletion: "by-feature", exportedAs: "tv_links_made" },
    },
  },
  tv_pairings: { backup: "excluded" },
} satisfies TablePolicies;
