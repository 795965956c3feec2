import type { Generated } from "kysely";

import { tvCodeLifetime, type TvScope } from "#contract/tv.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /** Revoking a link deletes its row. */
    tv_links: {
      id: Generated<number>;
      /** As a member entered it, e.g. the name of a room. */
      name: string;
      scope: Generated<TvScope>;
      /** SHA-256 of the token in hex. */
      token_hash: string;
      created_by: number | null;
      created_at: number;
      last_used_at: number | null;
    };
    /** Kept until the code expires, even after the TV is paired. */
    tv_pairings: {
      id: Generated<number>;
      /** SHA-256 of the code in hex. */
      code_hash: string;
      /** SHA-256 of the TV's secret in hex, which becomes the `token_hash` of the TV link. */
      secret_hash: string;
      expires_at: number;
      /** Time at which a member entered the code. */
      paired_at: number | null;
    };
  }
}

export const tables = {
  tv_links: {
    backup: "excluded",
    times: { last_used_at: { ahead: 0, otherwise: "now" } },
    memberColumns: {
      // A TV link ends when its creator deletes the account.
      created_by: { onAccountDeletion: "by-feature", exportedAs: "tv_links_made" },
    },
  },
  tv_pairings: { backup: "excluded", times: { expires_at: { ahead: tvCodeLifetime } } },
} satisfies TablePolicies;
