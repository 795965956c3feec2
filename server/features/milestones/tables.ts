import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/tables.ts" {
  interface Tables {
    /** Round numbers that were reached, of the group or of one member; each once, also if its beer is taken back. */
    milestones: {
      id: Generated<number>;
      kind: "group" | "member";
      count: number;
      /** Who drank it. */
      user_id: number;
      at: number;
    };
  }
}

export const tables = {
  milestones: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "milestones" } },
  },
} satisfies TablePolicies;
