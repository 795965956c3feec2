import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/tables.ts" {
  interface Tables {
    /** Administrators who have looked at a member's picture before its day. */
    calendar_reveals: { picture_id: string; user_id: number; at: number };
  }
}

export const tables = {
  calendar_reveals: {
    backup: "excluded",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "audit" } },
  },
} satisfies TablePolicies;
