import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/tables.ts" {
  interface Tables {
    /** Named evenings. One that is running has its end in the future, so that it ends without a job. */
    parties: { id: Generated<number>; name: string; created_by: number; starts_at: number; ends_at: number };
    party_members: { party_id: number; user_id: number };
  }
}

export const tables = {
  parties: {
    backup: "included",
    memberColumns: { created_by: { onAccountDeletion: "keep", exportedAs: "parties" } },
  },
  party_members: {
    backup: "included",
    // Beers that stay after an account is deleted stay with their party.
    memberColumns: { user_id: { onAccountDeletion: "keep", exportedAs: "parties" } },
  },
} satisfies TablePolicies;
