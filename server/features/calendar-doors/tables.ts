import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /** Pictures of other members that an administrator has revealed before their day. */
    calendar_reveals: { picture_id: string; user_id: number; at: number };
  }
}

export const tables = {
  calendar_reveals: {
    backup: "excluded",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "audit" } },
  },
} satisfies TablePolicies;
