import type { Selectable } from "kysely";

import type { Tables } from "#server/db/schema.ts";
import { createInvitation } from "#server/features/accounts/invitation-actions.ts";
import type { Client, ClientResponse } from "./client.ts";
import { createOpenIdProvider, linkOidc, logInWithOidc, type OpenIdProvider } from "./openid-provider.ts";
import { createTestApp, type TestApp } from "./test-app.ts";

/** The app with an OpenID provider. */
export interface OidcApp extends TestApp {
  readonly provider: OpenIdProvider;
  /** Logs in with an account of the provider. */
  readonly logIn: (client: Client, account: string, body?: object) => Promise<ClientResponse>;
  /** Links a member with an account of the provider. */
  readonly link: (client: Client, account: string) => Promise<ClientResponse>;
  /** Creates a member who is linked with the account `id-of-UNAME`. */
  readonly createLinkedMember: (uname: string, permissions?: []) => Promise<Client>;
  /** Returns the token of a new invitation. */
  readonly createInvitationToken: () => Promise<string>;
  readonly listIdentities: () => Promise<readonly Selectable<Tables["oidc_identities"]>[]>;
}

/** The texts with which a login by OpenID is refused. */
export const oidcTexts = {
  expired: "Diese Anmeldung ist abgelaufen oder begann in einem anderen Browser. Versuche es nochmal.",
  rejected: "Der Anmeldedienst hat dich nicht angemeldet. Versuche es nochmal.",
  unknown:
    "Zu dieser Anmeldung gibt es hier keinen Account. Öffne deine Einladung, oder verbinde sie in deinem Profil.",
  notInGroup: "Du gehörst nicht zu den erlaubten Gruppen.",
  unavailable: "Der Anmeldedienst ist gerade nicht erreichbar.",
} as const;

/** Starts a provider and an app that uses the provider. Both are closed after the test. */
export async function createOidcApp(options: Parameters<typeof createOpenIdProvider>[0] = {}): Promise<OidcApp> {
  const provider = await createOpenIdProvider(options);
  const app = await createTestApp(provider.env);
  const link = (client: Client, account: string) => linkOidc(provider, client, account);
  return {
    ...app,
    provider,
    logIn: (client, account, body) => logInWithOidc(provider, client, account, body),
    link,
    async createLinkedMember(uname, permissions) {
      const member = await app.createMember(uname, permissions);
      const { status, text } = await link(member, `id-of-${uname}`);
      if (status !== 200) throw new Error(`${uname} could not be linked: ${text}`);
      return member;
    },
    createInvitationToken: async () =>
      (await createInvitation(app.context, { permissions: [], days: 7, uses: 1, createdBy: null })).token,
    listIdentities: () => app.db.selectFrom("oidc_identities").selectAll().execute(),
  };
}
