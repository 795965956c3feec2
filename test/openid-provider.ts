import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";

import { importJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import { type Adapter, type AdapterPayload, Provider } from "oidc-provider";

import { createCertificates } from "./certificates.ts";
import { endWithTest } from "./cleanup.ts";
import type { Client, ClientResponse } from "./client.ts";
import { freePort } from "./free-port.ts";

/** A person with an account at the provider. */
export interface ProviderAccount {
  readonly name?: string;
  readonly preferred_username?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly groups?: readonly string[];
}

/** A real OpenID provider, at which a person logs in without a form. */
export interface OpenIdProvider {
  readonly issuer: string;
  /** The variables with which an app uses this provider. */
  readonly env: Readonly<Record<string, string>>;
  /** Origins of the app to which the provider returns browsers. */
  readonly origins: string[];
  /** The account with which browsers log in, except those from `createBrowser`. */
  account: string;
  /** Accounts by their permanent id. */
  readonly accounts: Map<string, ProviderAccount>;
  /** Number of logins at the provider so far. */
  readonly logins: () => number;
  /** `false` if the provider does not answer requests; initially `true`. */
  isAnswering: boolean;
  /** Answers of a malicious provider by their path, instead of the real ones. */
  readonly answers: Map<string, (response: ServerResponse) => void>;
  /** Changes the parameters of a login request, to imitate a faulty provider. */
  rewrite: (parameters: URLSearchParams) => void;
  /** Signs a logout token with these claims besides the usual ones; those that are `undefined` are left out. */
  signLogoutToken(claims: Readonly<Record<string, unknown>>, key?: object): Promise<string>;
  /** Ends all refresh tokens, as for a person who was removed. */
  revokeGrants(): void;
  /** Creates a browser that logs in with this account. */
  createBrowser(account: string): ProviderBrowser;
  close(): Promise<void>;
}

/** A browser with the provider's cookies. */
export interface ProviderBrowser {
  /**
   * Follows the address to the provider, logs in if asked to, and returns the app's address to
   * which the provider redirects.
   */
  logIn(address: string): Promise<URL>;
}

interface Options {
  /** Default: the origin of `createTestApp`. */
  readonly origins?: readonly string[];
  readonly certificate?: "good" | "expired";
  /** `true` if ID tokens contain all claims about the person; by default, only the userinfo endpoint returns them. */
  readonly hasClaimsInIdToken?: boolean;
}

const clientSecret = "Zapfhahn-und-Schluessel-7";
/** The key that signs ID tokens. */
const signingKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });

/** Starts a provider on a free port, which is closed after the test or the file. */
export async function createOpenIdProvider(options: Options = {}): Promise<OpenIdProvider> {
  const { origins = ["http://localhost:3000"], certificate, hasClaimsInIdToken = false } = options;
  const port = await freePort();
  const issuer = certificate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
  const accounts = new Map<string, ProviderAccount>();
  const held = new Set<ServerResponse>();
  let logins = 0;
  const adapter = createMemoryAdapter();
  const provider = new Provider(issuer, {
    claims: {
      openid: ["sub"],
      profile: ["name", "preferred_username"],
      email: ["email", "email_verified"],
      groups: ["groups"],
    },
    scopes: ["openid", "profile", "email", "groups", "offline_access"],
    conformIdTokenClaims: !hasClaimsInIdToken,
    pkce: { required: () => true },
    adapter: adapter.create(() => ({
      client_id: "stammtisch",
      client_secret: clientSecret,
      grant_types: ["authorization_code", "refresh_token"],
      backchannel_logout_uri: "http://127.0.0.1:9/logout",
      backchannel_logout_session_required: true,
      redirect_uris: state.origins.map((origin) => `${origin}/login/oidc`),
      post_logout_redirect_uris: state.origins.map((origin) => `${origin}/`),
    })),
    jwks: { keys: [signingKey] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600, RefreshToken: 600 },
    cookies: { keys: ["a key for tests only"] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    // Without the prompt for consent that the standard demands, as most providers do.
    issueRefreshToken: async () => true,
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...accounts.get(accountId) }),
    }),
    renderError: (context, { error, error_description }) => {
      context.body = `${error}: ${error_description}`;
    },
  });
  const callback = provider.callback();
  const server = certificate
    ? createHttpsServer({ ...createCertificates()[certificate] }, answer)
    : createHttpServer(answer);
  await new Promise<void>((resolve) => server.listen(port, certificate ? "localhost" : "127.0.0.1", resolve));

  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (!state.isAnswering) {
      held.add(response);
      return;
    }
    const malicious = state.answers.get(request.url!);
    if (malicious) return malicious(response);
    const isInteraction = request.url!.startsWith("/interaction/");
    (isInteraction ? interact(request, response) : Promise.resolve(callback(request, response))).catch(
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }

  /** Logs in the person named by the browser, and consents to everything. */
  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
    if (prompt.name === "login") {
      logins += 1;
      const accountId = String(request.headers["x-account"] ?? state.account);
      return provider.interactionFinished(
        request,
        response,
        { login: { accountId } },
        { mergeWithLastSubmission: false },
      );
    }
    const found = grantId ? await provider.Grant.find(grantId) : undefined;
    const grant = found ?? new provider.Grant({ accountId: session!.accountId, clientId: String(params["client_id"]) });
    grant.addOIDCScope("openid profile email groups");
    const consent = { grantId: await grant.save() };
    return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
  }

  const state: OpenIdProvider = {
    issuer,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: "stammtisch", OIDC_CLIENT_SECRET: clientSecret },
    origins: [...origins],
    account: "",
    accounts,
    logins: () => logins,
    isAnswering: true,
    answers: new Map(),
    rewrite: () => {},
    async signLogoutToken(claims, key = signingKey) {
      const usual = {
        iss: issuer,
        aud: "stammtisch",
        iat: Math.floor(Date.now() / 1000),
        jti: randomUUID(),
        events: { "http://schemas.openid.net/event/backchannel-logout": {} },
      };
      const payload = JSON.parse(JSON.stringify({ ...usual, ...claims })) as JWTPayload;
      return new SignJWT(payload).setProtectedHeader({ alg: "RS256" }).sign(await importJWK(key as JWK, "RS256"));
    },
    revokeGrants: () => adapter.clear("RefreshToken"),
    createBrowser(account) {
      const cookies = new Map<string, string>();
      return {
        async logIn(address) {
          const start = new URL(address);
          state.rewrite(start.searchParams);
          let next = start;
          while (next.origin === new URL(issuer).origin) {
            const answered = await fetch(next, {
              redirect: "manual",
              headers: {
                "x-account": account,
                cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
              },
            });
            for (const line of answered.headers.getSetCookie()) {
              const [name = "", value = ""] = line.split(";")[0]!.split("=");
              if (value === "") cookies.delete(name);
              else cookies.set(name, value);
            }
            const location = answered.headers.get("location");
            if (location === null)
              throw new Error(`The provider answered ${answered.status}: ${await answered.text()}`);
            next = new URL(location, next);
          }
          return next;
        },
      };
    },
    close: endWithTest(async () => {
      for (const response of held) response.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }),
  };
  return state;
}

/**
 * Starts a login in the app, and returns the provider's address to which the page would navigate.
 */
export async function startOidcLogin(client: Client, body: object = {}): Promise<string> {
  const { status, text, json } = await client.post("/api/oidc/login", body);
  if (status !== 200) throw new Error(`The login did not start: ${status} ${text}`);
  return json.url;
}

/** Sends the app the answer with which the provider returned the browser. */
export function finishOidc(client: Client, returned: URL): Promise<ClientResponse> {
  return client.post("/api/oidc/finish", { answer: returned.search });
}

/** Logs in at the provider, and finishes the login in the same browser. */
export async function logInWithOidc(
  provider: OpenIdProvider,
  client: Client,
  account: string,
  body: object = {},
): Promise<ClientResponse> {
  return finishOidc(client, await provider.createBrowser(account).logIn(await startOidcLogin(client, body)));
}

/** Links a member with an account of the provider. */
export async function linkOidc(provider: OpenIdProvider, client: Client, account: string): Promise<ClientResponse> {
  const { json } = await client.post("/api/user/oidc");
  return finishOidc(client, await provider.createBrowser(account).logIn(json.url));
}

/**
 * Creates a storage for the provider, with the app as the only client. Replaces the library's
 * storage in memory, which prints a warning.
 */
function createMemoryAdapter() {
  const rows = new Map<string, AdapterPayload>();
  const create =
    (readClient: () => AdapterPayload) =>
    (model: string): Adapter => {
      const key = (id: string) => `${model}:${id}`;
      return {
        upsert: async (id, payload) => void rows.set(key(id), payload),
        find: async (id) => (model === "Client" ? readClient() : rows.get(key(id))),
        findByUid: async (uid) => [...rows.values()].find((row) => row.uid === uid && row.kind === model),
        findByUserCode: async () => undefined,
        consume: async (id) => void Object.assign(rows.get(key(id))!, { consumed: Math.floor(Date.now() / 1000) }),
        destroy: async (id) => void rows.delete(key(id)),
        revokeByGrantId: async (grantId) => {
          for (const [id, row] of rows) if (row.grantId === grantId) rows.delete(id);
        },
      };
    };
  const clear = (model: string): void => {
    for (const id of rows.keys()) if (id.startsWith(`${model}:`)) rows.delete(id);
  };
  return { create, clear };
}
