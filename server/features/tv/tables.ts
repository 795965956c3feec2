import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

export interface TvTables {
  /** Links of TVs that show the counter. Revoked links are deleted. */
  tv_links: {
    id: Generated<number>;
    /** Name of the TV's location, entered by an administrator. */
    name: string;
    /** SHA-256 of the token, hex. */
    token_hash: string;
    created_by: number | null;
    created_at: number;
    last_used_at: number | null;
  };
  /** Pairing codes; kept until they expire, even after the TV is paired. */
  tv_pairings: {
    id: Generated<number>;
    /** SHA-256 of the code, hex. */
    code_hash: string;
    /** SHA-256 of the TV's secret, hex; becomes the `token_hash` of its link. */
    secret_hash: string;
    expires_at: number;
    /** `null` until an administrator has entered the code. */
    paired_at: number | null;
  };
}

export const tables = {
  tv_links: {
    backup: "excluded",
    memberColumns: {
      // Links of the group, which end with their creator's account.
      created_by: { onAccountDeletion: "by-feature", exportedAs: "tv_links_made" },
    },
  },
  tv_pairings: { backup: "excluded" },
} satisfies TablePolicies;
