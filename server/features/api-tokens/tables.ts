import type { Generated } from "kysely";

import type { TokenScope } from "#contract/endpoint.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    api_tokens: {
      id: Generated<number>;
      user_id: number;
      /** SHA-256 of the token, hex. */
      token_hash: string;
      name: string;
      scope: TokenScope;
      created_at: number;
      /** Epoch ms; `null` for a token that never expires. */
      expires_at: number | null;
      last_used_at: number | null;
    };
  }
}

export const tables = {
  api_tokens: {
    backup: "excluded",
    times: { last_used_at: { ahead: 0, otherwise: "now" } },
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "api_tokens" } },
  },
} satisfies TablePolicies;
