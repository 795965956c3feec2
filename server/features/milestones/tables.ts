import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

export interface MilestonesTables {
  /** Milestones of the group and of members; each is reached once, even if its beer is undone. */
  milestones: {
    id: Generated<number>;
    kind: "group" | "member";
    count: number;
    /** The member who drank the beer. */
    user_id: number;
    at: number;
  };
}

export const tables = {
  milestones: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "milestones" } },
  },
} satisfies TablePolicies;
