import type { Generated } from "kysely";

import type { AccountEventKind } from "#contract/account-events.ts";
import type { TokenScope } from "#contract/endpoint.ts";
import type { OidcPurpose } from "#contract/oidc.ts";
import { type FailureCount, pauseTimes } from "#server/db/failure-count.ts";
import { deviceLifetimeMs } from "#server/platform/http/session-cookies.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";
import { maxLifetimeMs } from "./invitation-rules.ts";
import * as invitationStore from "./invitation-store.ts";
import { lifetimeMs as oidcLifetimeMs } from "./oidc-rules.ts";
import type { ChallengePurpose } from "./passkey-store.ts";
import * as passkeyStore from "./passkey-store.ts";
import { linkLifetimeMs } from "./reset-rules.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /** A shared browser has a row for each of its members. */
    known_devices: FailureCount & {
      /** SHA-256 of the device cookie in hex. */
      id: string;
      user_id: number;
      last_login_at: number;
    };
    /** Logins and changes of credentials, visible only to the member. */
    account_events: {
      id: Generated<number>;
      user_id: number;
      at: number;
      kind: AccountEventKind;
      /** Name of the browser and its system, e.g. `Firefox auf Android`. */
      device: string;
    };
    api_tokens: {
      id: Generated<number>;
      user_id: number;
      /** SHA-256 of the token, hex. */
      token_hash: string;
      name: string;
      scope: TokenScope;
      created_at: number;
      /** `null` for a token that never expires. */
      expires_at: number | null;
      last_used_at: number | null;
    };
    invitations: {
      id: Generated<number>;
      /** SHA-256 of the normalized token in hex. */
      token_hash: string;
      permissions: string;
      /** `null` if the invitation was created on the command line. */
      created_by: number | null;
      created_at: number;
      expires_at: number;
      uses_left: number;
      revoked_at: number | null;
      /** 1 for the invitation that the server prints while no member exists. */
      is_first: Generated<number>;
    };
    /** At most one per account and provider. */
    oidc_identities: {
      id: Generated<number>;
      user_id: number;
      /** The provider's address, normalized. */
      issuer: string;
      /** The `sub` claim, which is permanent. */
      subject: string;
      created_at: number;
      last_used_at: number | null;
    };
    /**
     * Requests in flight at the provider: to log in, to link an identity, or to confirm. Deleted when the answer
     * arrives.
     */
    oidc_requests: {
      /** SHA-256 of the `state` parameter in hex. */
      id: string;
      /** SHA-256 of the cookie of the browser that started the request, in hex. */
      browser_id: string;
      purpose: OidcPurpose;
      /** `null` for a login. */
      user_id: number | null;
      /** Invitation with which a new identity may register. */
      invitation_hash: string | null;
      is_remembered: number;
      return_to: string;
      redirect_uri: string;
      /** Code verifier of PKCE. */
      code_verifier: string;
      nonce: string;
      created_at: number;
      expires_at: number;
    };
    /** Proven identities whose person has not sent the registration form yet. */
    oidc_registrations: {
      /** SHA-256 of the browser's cookie in hex. */
      browser_id: string;
      issuer: string;
      subject: string;
      invitation_hash: string | null;
      is_remembered: number;
      /** Time of the login at the provider. */
      confirmed_at: number;
      /** As in `sessions` and `oidc_grants`. */
      sid: string | null;
      refresh_token: string | null;
      expires_at: number;
    };
    /** Refresh tokens, with which the groups of a member are looked at again. */
    oidc_grants: {
      identity_id: number;
      /** Sealed with the app key. */
      refresh_token: string;
      checked_at: number;
    };
    /** Logout tokens of the provider, so that none is accepted twice. */
    oidc_logouts: {
      /** SHA-256 of the claim `jti` in hex. */
      id: string;
      expires_at: number;
    };
    passkeys: {
      id: Generated<number>;
      user_id: number;
      /** In base64url. */
      credential_id: string;
      /** In COSE format. */
      public_key: Buffer;
      /** Signature counter at the last use; 0 if the authenticator does not count. */
      counter: number;
      /** JSON list, e.g. `["internal"]`. */
      transports: string;
      name: string;
      created_at: number;
      last_used_at: number | null;
    };
    /** Challenges for authenticators to sign; deleted when used. */
    passkey_challenges: {
      /** SHA-256 of the challenge in hex. */
      id: string;
      purpose: ChallengePurpose;
      /** Session of a member or a guest. */
      session_id: string;
      expires_at: number;
    };
    /** At most three valid ones per member. Used and replaced links are deleted. */
    reset_tokens: {
      id: Generated<number>;
      user_id: number;
      /** SHA-256 of the token in hex. */
      token_hash: string;
      /** 1 if the link was mailed, 0 if an administrator or the command line created it. */
      is_mailed: number;
      /** `null` if the link was mailed or created on the command line. */
      created_by: number | null;
      expires_at: number;
    };
  }
}

export const tables = {
  known_devices: {
    backup: "excluded",
    times: { last_login_at: { ahead: deviceLifetimeMs }, locked_until: pauseTimes },
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "known_browsers" } },
  },
  account_events: {
    backup: "excluded",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "account_events" } },
  },
  api_tokens: {
    backup: "excluded",
    times: { last_used_at: { ahead: 0, otherwise: "now" } },
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "api_tokens" } },
  },
  invitations: {
    backup: "included",
    times: { expires_at: { ahead: maxLifetimeMs, otherwise: "now" } },
    // Invitations that are open in the backup may have been used since.
    onRestore: invitationStore.revokeOpenInvitations,
    memberColumns: { created_by: { onAccountDeletion: "by-feature", exportedAs: "invitations_made" } },
  },
  oidc_identities: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "oidc_identities" } },
  },
  oidc_requests: {
    backup: "excluded",
    times: { expires_at: { ahead: oidcLifetimeMs.request } },
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: null } },
  },
  oidc_registrations: {
    backup: "excluded",
    times: { expires_at: { ahead: oidcLifetimeMs.registration } },
  },
  oidc_grants: { backup: "excluded", times: { checked_at: { ahead: 0 } } },
  oidc_logouts: { backup: "excluded", times: { expires_at: { ahead: oidcLifetimeMs.logout } } },
  passkeys: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "passkeys" } },
  },
  passkey_challenges: { backup: "excluded", times: { expires_at: { ahead: passkeyStore.challengeLifetimeMs } } },
  reset_tokens: {
    backup: "excluded",
    times: { expires_at: { ahead: linkLifetimeMs.fromAdmin } },
    memberColumns: {
      user_id: { onAccountDeletion: "delete", exportedAs: "reset_links" },
      // A link ends when the administrator who created it deletes the account.
      created_by: { onAccountDeletion: "by-feature", exportedAs: null },
    },
  },
} satisfies TablePolicies;
