import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";
import { linkLifetimeMs } from "./rules.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /** Reset links, at most three valid ones per member. Used and replaced links are deleted. */
    reset_tokens: {
      id: Generated<number>;
      user_id: number;
      /** SHA-256 of the token in hex. */
      token_hash: string;
      /** 1 if the link was mailed, 0 if an administrator or the command line created it. */
      is_mailed: number;
      /**
       * Id of the administrator who created the link; `null` if the link was mailed or created on the
       * command line.
       */
      created_by: number | null;
      expires_at: number;
    };
  }
}

export const tables = {
  reset_tokens: {
    backup: "excluded",
    times: { expires_at: { ahead: linkLifetimeMs.fromAdmin } },
    memberColumns: {
      user_id: { onAccountDeletion: "delete", exportedAs: "reset_links" },
      // A reset link for another member ends when the administrator who created the link deletes
      // the account.
      created_by: { onAccountDeletion: "by-feature", exportedAs: null },
    },
  },
} satisfies TablePolicies;
