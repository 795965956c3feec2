import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";
import type { ChallengePurpose } from "./store.ts";

declare module "#server/db/tables.ts" {
  interface Tables {
    passkeys: {
      id: Generated<number>;
      user_id: number;
      /** As the authenticator named it, base64url. */
      credential_id: string;
      /** COSE. */
      public_key: Buffer;
      /** How often the authenticator says it was used; 0 where it does not count. */
      counter: number;
      /** JSON list, e.g. `["internal"]`: how the browser reaches the authenticator. */
      transports: string;
      name: string;
      created_at: number;
      last_used_at: number | null;
    };
    /** What an authenticator has to sign; each is deleted by its first use. */
    passkey_challenges: {
      /** SHA-256 of the challenge, hex. */
      id: string;
      purpose: ChallengePurpose;
      /** The session or guest that asked for it, as stored in `sessions`. */
      session_id: string;
      expires_at: number;
    };
  }
}

export const tables = {
  passkeys: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "passkeys" } },
  },
  passkey_challenges: { backup: "excluded" },
} satisfies TablePolicies;
