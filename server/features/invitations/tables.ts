import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";
import { maxLifetimeMs } from "./rules.ts";
import { revokeOpenInvitations } from "./store.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    invitations: {
      id: Generated<number>;
      /** SHA-256 of the normalized token in hex. */
      token_hash: string;
      permissions: string;
      /** Id of the administrator; `null` if the invitation was created on the command line. */
      created_by: number | null;
      created_at: number;
      expires_at: number;
      uses_left: number;
      revoked_at: number | null;
      /**
       * 1 for the first administrator's invitation, which the server prints while no member exists;
       * otherwise 0.
       */
      is_first: Generated<number>;
    };
  }
}

export const tables = {
  invitations: {
    backup: "included",
    times: { expires_at: { ahead: maxLifetimeMs, otherwise: "now" } },
    // Invitations that are open in the backup may have been used after the backup was written.
    onRestore: revokeOpenInvitations,
    memberColumns: { created_by: { onAccountDeletion: "by-feature", exportedAs: "invitations_made" } },
  },
} satisfies TablePolicies;
