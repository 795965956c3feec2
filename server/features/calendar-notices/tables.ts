import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";
import type { NoticeKind } from "./rules.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /**
     * Notices of administrators' changes of a member's door, kept until the member dismisses them.
     */
    calendar_notices: {
      id: Generated<number>;
      user_id: number;
      at: number;
      kind: NoticeKind;
      date: string;
      /** New day of the door for the kind `moved`; `null` for other kinds. */
      moved_to: string | null;
    };
  }
}

export const tables = {
  calendar_notices: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "calendar_notices" } },
  },
} satisfies TablePolicies;
