import type { createRemoteJWKSet } from "jose";
import type {
  ClientAuth,
  Configuration,
  CustomFetchOptions,
  TokenEndpointResponse,
  TokenEndpointResponseHelpers,
} from "openid-client";
import * as z from "zod/mini";

import { megabytes } from "#contract/sizes.ts";
import type { Config } from "#server/config.ts";
import type { Clock } from "#server/platform/clock.ts";
import { Refusal, refuse } from "#server/platform/http/refusal.ts";
import type { Log } from "#server/platform/log.ts";
import { days, hours, seconds } from "#server/time.ts";

/** Per request; finishing a login takes up to four. */
const timeoutSeconds = 5;
const clockToleranceSeconds = 30;
/** After decompression. */
const maxBodyBytes = megabytes(1);
const discoveryLifetimeMs = hours(1);

/** Loaded on first use, since most installations have no provider. */
const loadLibrary = () => import("openid-client");

/** The provider's answer is checked with these values. */
export interface RequestSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly code_verifier: string;
  readonly redirect_uri: string;
}

/** Only `sub`, the permanent id, is known to be a text. */
export interface Claims {
  readonly sub: string;
  readonly [name: string]: unknown;
}

export interface Answer {
  readonly claims: Claims;
  /** `null` if the provider issued none. */
  readonly refreshToken: string | null;
}

export interface Renewal {
  /** `null` if the provider tells none; `undefined` if it failed after it had replaced the refresh token. */
  readonly claims: Claims | null | undefined;
  readonly refreshToken: string;
}

/** A token with a nonce could be an ID token. */
const logoutClaims = z
  .object({
    jti: z.string().check(z.minLength(1), z.maxLength(512)),
    sub: z.optional(z.string()),
    sid: z.optional(z.string()),
    nonce: z.optional(z.never()),
    events: z.record(z.string(), z.unknown()),
  })
  .check(
    z.refine(({ events }) => typeof events["http://schemas.openid.net/event/backchannel-logout"] === "object"),
    z.refine(({ sub, sid }) => sub !== undefined || sid !== undefined),
  );
export type LogoutToken = z.output<typeof logoutClaims>;

const maxLogoutTokenSeconds = 120;
/** Of keys that only the provider has. */
const signatureAlgorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

export type Provider = ReturnType<typeof createProvider>;

type ProviderConfig = Pick<Config, "oidcIssuer" | "oidcClientId" | "oidcClientSecret" | "oidcGroups">;

/** In the form in which identities refer to the provider. */
export function issuerOf({ oidcIssuer }: Pick<Config, "oidcIssuer">): string {
  return new URL(oidcIssuer!).href;
}

/** Connects on first use, so that a failing provider blocks no start. */
export function createProvider({ config, clock, log }: { config: ProviderConfig; clock: Clock; log: Log }) {
  let keys: { readonly address: string; readonly find: ReturnType<typeof createRemoteJWKSet> } | undefined;
  let cached: { readonly discovery: Promise<Configuration>; readonly until: number } | undefined;

  async function discover(): Promise<Configuration> {
    if (cached === undefined || clock.monotonic() >= cached.until)
      cached = { discovery: discoverProvider(config), until: clock.monotonic() + discoveryLifetimeMs };
    return cached.discovery.catch((error: unknown) => failed(error, "oidcUnavailable"));
  }

  function failed(error: unknown, code: "oidcUnavailable" | "oidcRejected" | "invalidRequest"): never {
    log.warn("oidc-failed", { code, reason: describeFailure(error) });
    if (code === "oidcUnavailable") cached = undefined;
    throw refuse(code);
  }

  return {
    issuer: issuerOf(config),

    /** `isFresh`: the provider must ask the member to log in again, even if the browser is already logged in there. */
    async createAddress({ state, nonce, code_verifier, redirect_uri }: RequestSecrets, isFresh: boolean) {
      const configuration = await discover();
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await loadLibrary();
      const { scopes_supported: scopes } = configuration.serverMetadata();
      // Only groups are looked at again between two logins.
      const wanted = config.oidcGroups.length > 0 ? ["groups", "offline_access"] : [];
      const added = wanted.filter((scope) => scopes?.includes(scope));
      return buildAuthorizationUrl(configuration, {
        redirect_uri,
        scope: ["openid profile email", ...added].join(" "),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(code_verifier),
        code_challenge_method: "S256",
        // Providers report the time of the login only if the request names a maximum age. A year refuses no login.
        ...(isFresh ? { prompt: "login", max_age: "0" } : { max_age: String(days(365) / 1000) }),
      }).href;
    },

    /** Address at which the provider ends its session and returns to `returnTo`; `null` if it has none. */
    async createLogoutAddress(returnTo: string): Promise<string | null> {
      const configuration = await discover();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
      const { buildEndSessionUrl } = await loadLibrary();
      return buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href;
    },

    /**
     * Returns the claims of the signed ID token and of the userinfo endpoint, except the time of the login there.
     * With `maxAge` (seconds), refuses a login at the provider that is older, or whose time is unknown.
     */
    async readAnswer(answer: URLSearchParams, request: RequestSecrets, maxAge?: number): Promise<Answer> {
      const configuration = await discover();
      const { authorizationCodeGrant } = await loadLibrary();
      const address = new URL(request.redirect_uri);
      address.search = answer.toString();
      try {
        const tokens = await authorizationCodeGrant(configuration, address, {
          expectedState: request.state,
          expectedNonce: request.nonce,
          pkceCodeVerifier: request.code_verifier,
          idTokenExpected: true,
          ...(maxAge !== undefined && { maxAge }),
        });
        const { sub } = tokens.claims()!;
        return { claims: (await readClaims(configuration, tokens, sub))!, refreshToken: tokens.refresh_token ?? null };
      } catch (error) {
        return failed(error, (await isRefusal(error)) ? "oidcRejected" : "oidcUnavailable");
      }
    },

    /**
     * Returns the present claims of a member, or `null` if the provider no longer accepts the refresh token.
     */
    async readAgain(refreshToken: string, subject: string): Promise<Renewal | null> {
      const configuration = await discover();
      const { refreshTokenGrant, ResponseBodyError } = await loadLibrary();
      try {
        const tokens = await refreshTokenGrant(configuration, refreshToken);
        const claims = await readClaims(configuration, tokens, subject).catch((error: unknown) => {
          log.warn("oidc-failed", { code: "oidcUnavailable", reason: describeFailure(error) });
          return undefined;
        });
        return { claims, refreshToken: tokens.refresh_token ?? refreshToken };
      } catch (error) {
        if (error instanceof ResponseBodyError && refusedGrants.has(error.error)) return null;
        return failed(error, "oidcUnavailable");
      }
    },

    /** Verifies a logout token of the provider (OpenID Connect Back-Channel Logout 1.0, section 2.6). */
    async readLogoutToken(token: string): Promise<LogoutToken> {
      const configuration = await discover();
      const { createRemoteJWKSet, customFetch, jwtVerify } = await import("jose");
      const { issuer, jwks_uri: address } = configuration.serverMetadata();
      if (address === undefined) return failed(new Error("The provider has no keys."), "oidcUnavailable");
      if (keys?.address !== address) {
        const options = { timeoutDuration: seconds(timeoutSeconds), [customFetch]: fetchLimited as typeof fetch };
        keys = { address, find: createRemoteJWKSet(new URL(address), options) };
      }
      try {
        const { payload } = await jwtVerify(token, keys.find, {
          issuer,
          audience: config.oidcClientId!,
          algorithms: signatureAlgorithms,
          clockTolerance: clockToleranceSeconds,
          maxTokenAge: maxLogoutTokenSeconds,
        });
        const { data, error } = logoutClaims.safeParse(payload);
        return data ?? failed(error, "invalidRequest");
      } catch (error) {
        if (error instanceof Refusal) throw error;
        const { code = "" } = error as NodeJS.ErrnoException;
        const isRefused = code.startsWith("ERR_J") && !/^ERR_(JWKS_TIMEOUT|JWKS_INVALID|JOSE_GENERIC)$/.test(code);
        return failed(error, isRefused ? "invalidRequest" : "oidcUnavailable");
      }
    },
  };
}

/** The userinfo endpoint only adds to the claims of the signed ID token. `null` without either. */
async function readClaims(
  configuration: Configuration,
  tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
  subject: string,
): Promise<Claims | null> {
  const claims = tokens.claims();
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims ?? null;
  const { fetchUserInfo } = await loadLibrary();
  const { auth_time: _, ...others } = await fetchUserInfo(configuration, tokens.access_token, subject);
  return { ...others, ...claims };
}

export async function discoverProvider(config: Omit<ProviderConfig, "oidcGroups">): Promise<Configuration> {
  const { discovery, clockTolerance, allowInsecureRequests, customFetch, enableNonRepudiationChecks } =
    await loadLibrary();
  const issuer = new URL(config.oidcIssuer!);
  return discovery(
    issuer,
    config.oidcClientId!,
    { [clockTolerance]: clockToleranceSeconds },
    await createClientAuth(config.oidcClientSecret),
    {
      timeout: timeoutSeconds,
      [customFetch]: fetchLimited,
      execute: [enableNonRepudiationChecks, ...(issuer.protocol === "http:" ? [allowInsecureRequests] : [])],
    },
  );
}

/** The body fails, and the connection ends, after `maxBodyBytes`. */
async function fetchLimited(url: string, options: CustomFetchOptions): Promise<Response> {
  const response = await fetch(url, options as RequestInit);
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= maxBodyBytes) controller.enqueue(chunk);
      else controller.error(Object.assign(new Error("The body is too large."), { code: "BODY_OVER_1_MIB" }));
    },
  });
  return new Response(response.body && response.body.pipeThrough(limit), response);
}

/** Sends the secret by a method that the provider lists, by default the standard's. */
async function createClientAuth(secret: string | null): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost, None } = await loadLibrary();
  if (secret === null) return None();
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    return (ways.includes("client_secret_basic") ? basic : post)(server, ...rest);
  };
}

/** Failed connections, and answers that do not come from an OpenID provider. */
const outageCodes = new Set<unknown>([
  undefined,
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "OAUTH_PARSE_ERROR",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
  "OAUTH_RESPONSE_IS_NOT_JSON",
]);
/** Of one member; other errors are about the whole client. */
const refusedGrants = new Set(["invalid_grant", "access_denied"]);
const outageErrors = new Set(["server_error", "temporarily_unavailable"]);

/** The provider answered and refused the login, or its answer does not match our request. */
async function isRefusal(error: unknown): Promise<boolean> {
  const { AuthorizationResponseError, ResponseBodyError, ClientError } = await loadLibrary();
  if (error instanceof AuthorizationResponseError) return !outageErrors.has(error.error);
  if (error instanceof ResponseBodyError) return error.error === "invalid_grant";
  return error instanceof ClientError && !outageCodes.has(error.code);
}

/** Messages of the library and the network for the operator; they contain no secret. */
export function describeFailure(error: unknown): string {
  if (error instanceof Refusal) return error.code;
  const { message, code, error: refused } = error as Error & { code?: string; error?: string };
  // The browser may have changed the error of an answer.
  const errorCode = /^\w{1,64}$/.exec(refused ?? "")?.[0] ?? code;
  const parts = [message, errorCode, findCause(error as Error).code];
  return parts.filter((part) => typeof part === "string").join(", ");
}

function findCause(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
  return error.cause instanceof Error ? findCause(error.cause) : error;
}
