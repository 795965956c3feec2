import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";
import { revokeOpenInvitations } from "./store.ts";

export interface InvitationsTables {
  invitations: {
    id: Generated<number>;
    /** SHA-256 of the token, hex. */
    token_hash: string;
    permissions: string;
    /** `null` if created on the command line. */
    created_by: number | null;
    created_at: number;
    expires_at: number;
    uses_left: number;
    revoked_at: number | null;
    /** 1 if printed by the first start, for the first administrator. */
    is_first: Generated<number>;
  };
}

export const tables = {
  invitations: {
    backup: "included",
    // An invitation that is open in the backup may have been used since.
    onRestore: revokeOpenInvitations,
    memberColumns: { created_by: { onAccountDeletion: "by-feature", exportedAs: "invitations_made" } },
  },
} satisfies TablePolicies;
