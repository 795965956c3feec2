import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

export interface PartyTables {
  /** Named evenings. The end of a running party is in the future, so that it ends without a job. */
  parties: {
    id: Generated<number>;
    name: string;
    created_by: number;
    starts_at: number;
    ends_at: number;
    /** 1 if a member ended the party, 0 if it ends automatically. */
    is_ended_early: Generated<number>;
  };
  /** Stays of members: beers count from `counts_from` (0: from the start) until `counts_until` (`null`: until the end). */
  party_members: { party_id: number; user_id: number; counts_from: Generated<number>; counts_until: number | null };
}

export const tables = {
  parties: {
    backup: "included",
    memberColumns: { created_by: { onAccountDeletion: "keep", exportedAs: "parties" } },
  },
  party_members: {
    backup: "included",
    // Beers that are kept after an account is deleted keep counting at their party.
    memberColumns: { user_id: { onAccountDeletion: "keep", exportedAs: "parties" } },
  },
} satisfies TablePolicies;
