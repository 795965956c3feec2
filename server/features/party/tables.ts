import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /**
     * Parties. `ends_at` is set in advance to the automatic end, so that a party ends without a job.
     */
    parties: {
      id: Generated<number>;
      name: string;
      created_by: number;
      starts_at: number;
      ends_at: number;
      /** 1 if a member ended the party, 0 if it ends or ended automatically. */
      is_ended_early: Generated<number>;
    };
    /**
     * Stays of members at parties. Beers count from `counts_from` (0: the start of the party), which
     * may be up to two hours before the party, until `counts_until` (`null`: the end of the party).
     */
    party_members: { party_id: number; user_id: number; counts_from: Generated<number>; counts_until: number | null };
  }
}

export const tables = {
  parties: {
    backup: "included",
    memberColumns: { created_by: { onAccountDeletion: "keep", exportedAs: "parties" } },
  },
  party_members: {
    backup: "included",
    // Members who delete their account can leave their beers to the group. These beers still count
    // at the party, so the party needs this row.
    memberColumns: { user_id: { onAccountDeletion: "keep", exportedAs: "parties" } },
  },
} satisfies TablePolicies;
