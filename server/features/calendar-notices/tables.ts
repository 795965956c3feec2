import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";
import type { NoticeKind } from "./rules.ts";

declare module "#server/db/tables.ts" {
  interface Tables {
    /** Tells a member what administrators did to his or her calendar door, until the member has dismissed it. */
    calendar_notices: {
      id: Generated<number>;
      user_id: number;
      at: number;
      kind: NoticeKind;
      date: string;
      /** The new day of a door that was moved; `null` for other kinds. */
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
