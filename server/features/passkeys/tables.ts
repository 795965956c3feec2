import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";
import type { ChallengePurpose } from "./store.ts";

export interface PasskeysTables {
  passkeys: {
    id: Generated<number>;
    user_id: number;
    /** Credential id from the authenticator, base64url. */
    credential_id: string;
    /** Public key in COSE format. */
    public_key: Buffer;
    /** Number of uses according to the authenticator; 0 if it does not count. */
    counter: number;
    /** Ways in which the browser reaches the authenticator; a JSON list, e.g. `["internal"]`. */
    transports: string;
    name: string;
    created_at: number;
    last_used_at: number | null;
  };
  /** Challenges for authenticators to sign; each is deleted by its first use. */
  passkey_challenges: {
    /** SHA-256 of the challenge, hex. */
    id: string;
    purpose: ChallengePurpose;
    /** Session that requested the challenge, of a member or a guest, as stored in `sessions`. */
    session_id: string;
    expires_at: number;
  };
}

export const tables = {
  passkeys: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "passkeys" } },
  },
  passkey_challenges: { backup: "excluded" },
} satisfies TablePolicies;
