import type { Generated } from "kysely";

import type { Permission } from "#contract/endpoint.ts";
import type { Visibility } from "#contract/visibility.ts";
import { type FailureCount, pauseTimes } from "#server/db/failure-count.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";
import { days } from "#server/time.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /** The failure counts are those of guests; sessions and known devices have their own. */
    users: FailureCount & {
      id: Generated<number>;
      uname: string;
      /** Unique, so that no two user names look alike. */
      uname_key: string;
      name: string;
      email: string;
      email_key: string;
      /** PHC string (`$argon2id$…`), or `noPassword`; empty if the account was deleted. */
      password_hash: string;
      avatar_id: string | null;
      disabled_at: number | null;
      created_at: number;
      /** `null` if unknown. */
      invitation_id: number | null;
      last_login_at: number | null;
      visibility: Generated<Visibility>;
      /** The next three columns repeat `visibility` for the previous release (`toFormerColumns`). */
      is_shown: Generated<number>;
      is_paused: Generated<number>;
      is_mat_shown: Generated<number>;
      /** 1 if this administrator sees who drew which calendar door before its day. */
      sees_door_owners: Generated<number>;
      /** 0 if tablets do not show the member. */
      is_on_tablets: Generated<number>;
      /** 0 if other members may not book beers for the member. */
      is_tappable: Generated<number>;
      /** PHC string of the PIN for tablets; `null` without a PIN. */
      pin_hash: string | null;
      /** Newest news entry that the member has seen (contract/news.ts). */
      news_seen: Generated<number>;
    };
    user_permissions: { user_id: number; permission: Permission };
    pictures: { id: string; user_id: number; png: Buffer; created_at: number };
    sessions: FailureCount & {
      /** SHA-256 of the id in the cookie, in hex. */
      id: string;
      user_id: number;
      is_remembered: number;
      user_agent: string;
      created_at: number;
      last_seen_at: number;
      /** Last time a password or passkey was entered, or the member logged in at the OpenID provider. */
      confirmed_at: number;
      /** Last use of a passkey in this session; `null` if never. */
      passkey_at: number | null;
      /** 1 if the member logged in with OpenID; a logout then also ends the session at the provider. */
      is_from_oidc: Generated<number>;
      /** Id of the session at the OpenID provider, which a logout there names; `null` if the provider told none. */
      oidc_sid: string | null;
    };
  }
}

export const tables = {
  users: {
    backup: "included",
    times: { locked_until: pauseTimes },
  },
  user_permissions: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "profile" } },
  },
  pictures: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "pictures" } },
  },
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
} satisfies TablePolicies;
