import type { Generated } from "kysely";

import type { AccountEventKind } from "#contract/account-events.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /** Logins and changes of credentials, visible only to the member. */
    account_events: {
      id: Generated<number>;
      user_id: number;
      at: number;
      kind: AccountEventKind;
      /** Name of the browser and its system, e.g. `Firefox auf Android`. */
      device: string;
    };
  }
}

export const tables = {
  account_events: {
    backup: "excluded",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "account_events" } },
  },
} satisfies TablePolicies;
