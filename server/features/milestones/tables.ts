import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /**
     * Reached milestones of the group and of members. A milestone is kept even if its beer is undone,
     * so it is reached only once.
     */
    milestones: {
      id: Generated<number>;
      kind: "group" | "member";
      count: number;
      /** The member whose beer reached the milestone. */
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
