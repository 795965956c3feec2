import type { Generated } from "kysely";

import { type FailureCount, pauseTimes } from "#server/db/failure-count.ts";
import { deviceLifetimeMs } from "#server/platform/http/session-cookies.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";
import { days } from "#server/time.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    sessions: FailureCount & {
      /** SHA-256 of the id in the cookie, in hex. */
      id: string;
      user_id: number;
      is_remembered: number;
      user_agent: string;
      created_at: number;
      last_seen_at: number;
      /**
       * Epoch ms when a password or passkey was last entered, or the member last logged in at the
       * OpenID provider, in this session.
       */
      confirmed_at: number;
      /** Epoch ms when a passkey was last used in this session; `null` if never. */
      passkey_at: number | null;
      /** 1 if the member logged in with OpenID; a logout then also ends the session at the provider. */
      is_from_oidc: Generated<number>;
    };
    /** Browsers that have logged in to an account before. A shared browser has a row for each of its members. */
    known_devices: FailureCount & {
      /** SHA-256 of the device cookie in hex. */
      id: string;
      user_id: number;
      last_login_at: number;
    };
  }
}

export const tables = {
  sessions: {
    backup: "excluded",
    times: {
      // A clock that is corrected by some days ends no session.
      created_at: { ahead: days(30) },
      last_seen_at: { ahead: 0, otherwise: "now" },
      confirmed_at: { ahead: 0 },
      passkey_at: { ahead: 0, otherwise: null },
      locked_until: pauseTimes,
    },
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "devices" } },
  },
  known_devices: {
    backup: "excluded",
    times: { last_login_at: { ahead: deviceLifetimeMs }, locked_until: pauseTimes },
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "known_browsers" } },
  },
} satisfies TablePolicies;
