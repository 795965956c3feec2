// These checks send no mails and no pushes.
import { createECDH } from "node:crypto";
import { request as requestHttps } from "node:https";
import { urlToHttpOptions } from "node:url";

import type { Config } from "#server/config.ts";
import { explainMailFailure, verifyMail } from "#server/platform/mail/transport.ts";
import { request as requestHttp } from "#server/platform/node-http.ts";
import { describeFailure, discoverProvider, issuerOf } from "#server/platform/oidc/provider.ts";
import type { Secrets } from "#server/platform/security/secrets.ts";
import { CheckFailure } from "./check.ts";

const timeoutMs = 10_000;

/** Requires encryption and a successful login. */
export async function checkMail(config: Config): Promise<string> {
  if (config.smtpUrl === null)
    return "no SMTP_URL: mails are written to DATA_DIR/outbox, and reset links come from administrators";
  const { hostname: host } = new URL(config.smtpUrl);
  try {
    await verifyMail(config, AbortSignal.timeout(timeoutMs));
  } catch (error) {
    throw new CheckFailure(explainMailFailure(config, error));
  }
  return `${host} accepts mail${config.mailFrom ? "" : "; MAIL_FROM is not set, so some receivers may refuse it"}`;
}

export async function checkOidc(config: Config): Promise<string> {
  if (config.oidcIssuer === null) return "no OIDC_ISSUER: members log in with their password or a passkey";
  const issuer = issuerOf(config);
  const configuration = await discoverProvider(config).catch((error: unknown) => {
    throw new CheckFailure(`The OpenID provider ${issuer} does not answer as one: ${describeFailure(error)}`);
  });
  const { scopes_supported: scopes } = configuration.serverMetadata();
  const isClaimUnsure = config.oidcGroups.length > 0 && scopes !== undefined && !scopes.includes("groups");
  return `${issuer} answers${isClaimUnsure ? "; it has no scope `groups`, so make sure that it sends this claim" : ""}`;
}

export function checkPush({ pushSubject }: Config, secrets: Secrets | undefined): string {
  if (secrets === undefined) return "keys are created at the first start";
  const { vapid } = secrets;
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(vapid.privateKey, "base64url");
  if (pair.getPublicKey("base64url") !== vapid.publicKey)
    throw new CheckFailure("The push keys do not belong together. Run: stammtisch secrets rotate vapid");
  return `the keys are valid, subject ${pushSubject}`;
}

export async function checkEngine({ engineUrl }: Pick<Config, "engineUrl">, isNeeded: boolean): Promise<string> {
  const answer = await ping(new URL(engineUrl)).catch((error: NodeJS.ErrnoException) => error.code ?? error.message);
  if (answer === 200) return `${engineUrl} answers`;
  if (!isNeeded) return `not reachable at ${engineUrl}; not needed, no game server uses it`;
  const hints: Record<string, string> = {
    EACCES: "this user has no permission for the socket",
    ENOENT: "the socket does not exist",
    504: "the engine behind the filter is not running",
  };
  const hint = hints[answer];
  throw new CheckFailure(`The engine at ${engineUrl} does not answer (${hint ?? answer}).`);
}

function ping(url: URL): Promise<number> {
  return new Promise((resolve, reject) => {
    const isSocket = url.protocol === "unix:";
    const place = isSocket ? { socketPath: decodeURIComponent(url.pathname) } : urlToHttpOptions(url);
    const send = url.protocol === "https:" ? requestHttps : requestHttp;
    const request = send({ ...place, path: "/_ping", timeout: timeoutMs, agent: false });
    request.once("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once("timeout", () => request.destroy(new Error("no answer")));
    request.once("error", reject);
    request.end();
  });
}
