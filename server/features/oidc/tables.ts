import type { Generated } from "kysely";

import type { OidcPurpose } from "#contract/oidc.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";
import { lifetimeMs } from "./rules.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /** Identities at OpenID providers that are linked with accounts, at most one per account and provider. */
    oidc_identities: {
      id: Generated<number>;
      user_id: number;
      /** The provider's address, normalized. */
      issuer: string;
      /** The permanent id of the person at the provider. */
      subject: string;
      created_at: number;
      last_used_at: number | null;
    };
    /**
     * Requests in flight at the provider: to log in, to link the identity with an account, or to
     * confirm the member like a password. A request is deleted when its answer arrives.
     */
    oidc_requests: {
      /** SHA-256 of the `state` parameter in hex. */
      id: string;
      /** SHA-256 of the cookie of the browser that started the request, in hex. */
      browser_id: string;
      purpose: OidcPurpose;
      /** The member who links or confirms; `null` for a login. */
      user_id: number | null;
      /** Hash of the invitation with which a new identity may register. */
      invitation_hash: string | null;
      is_remembered: number;
      return_to: string;
      redirect_uri: string;
      /** Secrets of the request: PKCE's code verifier, and the nonce of the ID token. */
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
      /** Time of the login at the provider, epoch ms. */
      confirmed_at: number;
      expires_at: number;
    };
  }
}

export const tables = {
  oidc_identities: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "oidc_identities" } },
  },
  oidc_requests: {
    backup: "excluded",
    times: { expires_at: { ahead: lifetimeMs.request } },
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: null } },
  },
  oidc_registrations: {
    backup: "excluded",
    times: { expires_at: { ahead: lifetimeMs.registration } },
  },
} satisfies TablePolicies;
