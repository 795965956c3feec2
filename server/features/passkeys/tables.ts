import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";
import { challengeLifetimeMs } from "./rules.ts";
import type { ChallengePurpose } from "./store.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    passkeys: {
      id: Generated<number>;
      user_id: number;
      /** Credential id from the authenticator in base64url. */
      credential_id: string;
      /** Public key in COSE format. */
      public_key: Buffer;
      /**
       * Signature counter of the authenticator at the last use; 0 if the authenticator does not
       * count.
       */
      counter: number;
      /**
       * JSON list of the ways in which the browser reaches the authenticator, e.g. `["internal"]`.
       */
      transports: string;
      name: string;
      created_at: number;
      last_used_at: number | null;
    };
    /** Challenges for authenticators to sign. A challenge is deleted when it is used. */
    passkey_challenges: {
      /** SHA-256 of the challenge in hex. */
      id: string;
      purpose: ChallengePurpose;
      /** Id in `sessions` of the member's or guest's session that requested the challenge. */
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
  passkey_challenges: { backup: "excluded", times: { expires_at: { ahead: challengeLifetimeMs } } },
} satisfies TablePolicies;
