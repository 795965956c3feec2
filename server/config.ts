import { createECDH } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

import type * as z from "zod/mini";

import { isLoopback } from "#contract/loopback.ts";
import { EnvironmentFileError, parseEnvironmentFile } from "./config-file.ts";
import { configSchema, keyOf, type KeyOf, showValue, type Variable, variableInfo } from "./config-schema.ts";
import { containerNetworks } from "./config-values.ts";
import { isInContainer, listPrivateNetworks } from "./container-networks.ts";
import { listMisspeltVariables, type MisspeltVariable } from "./misspelt-variables.ts";

type Environment = Record<string, string | undefined>;
type Values = z.output<typeof configSchema>;
type ByKey = { readonly [Name in Variable as KeyOf<Name>]: Values[Name] };

export interface Config extends Omit<ByKey, "appUrl" | "backupDir" | "pushSubject"> {
  readonly appUrl: URL;
  readonly backupDir: string;
  readonly pushSubject: string;
  /** Listening socket passed by systemd, used instead of `host` and `port`. */
  readonly listenFd: number | null;
  readonly misspeltVariables: readonly MisspeltVariable[];
}

/** The message is one line that names the variable, but does not contain its value. */
export class ConfigError extends Error {
  readonly variable: string;

  constructor(variable: string, reason: string) {
    super(`${variable} ${reason}`);
    this.name = "ConfigError";
    this.variable = variable;
  }
}

const variables = Object.keys(configSchema.shape) as Variable[];

const pushServices = [
  "fcm.googleapis.com",
  "updates.push.services.mozilla.com",
  "web.push.apple.com",
  "notify.windows.com",
  "jmt17.google.com",
];

/**
 * Adds the variables of the file STAMMTISCH_ENV_FILE, except those that `env` already has. A DATA_DIR in `env` also
 * excludes the file's DATABASE_URL, which would take precedence. Throws a ConfigError if the file cannot be read.
 */
export function addEnvironmentFile(env: Environment = process.env): void {
  const path = env["STAMMTISCH_ENV_FILE"];
  if (!path) return;
  const isSet = (name: string): boolean => Boolean(env[name] || env[`${name}_FILE`]);
  const added = Object.entries(readEnvironmentFile(path)).filter(([variable]) => {
    const name = variable.replace(/_FILE$/, "");
    return !isSet(name) && !(name === "DATABASE_URL" && isSet("DATA_DIR"));
  });
  Object.assign(env, Object.fromEntries(added));
}

function readEnvironmentFile(path: string): Record<string, string> {
  const name = "STAMMTISCH_ENV_FILE";
  try {
    return parseEnvironmentFile(readText(name, path));
  } catch (error) {
    throw error instanceof EnvironmentFileError ? new ConfigError(name, error.message) : error;
  }
}

/** Certificates that the operator trusts besides Node's own, for processes that the server starts. */
export function certificateEnvironment(env: Environment = process.env): Environment {
  return Object.fromEntries(
    ["NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA", "SSL_CERT_FILE", "SSL_CERT_DIR"].map((name) => [name, env[name]]),
  );
}

/** Throws a ConfigError for the first invalid variable. */
export function readConfig(env: Environment = process.env): Config {
  assertKnownVariables(env);
  const texts = Object.fromEntries(variables.map((name) => [name, readRawValue(env, name)]));
  const { data, error } = configSchema.safeParse(texts);
  if (!data) {
    const [issue] = error.issues;
    throw new ConfigError(String(issue!.path[0]), issue!.message);
  }
  assertAllowedTogether(data, env);
  const byKey = Object.fromEntries(variables.map((name) => [keyOf(name), data[name]])) as unknown as ByKey;
  const appUrl = data.APP_URL ?? new URL(`http://localhost:${data.PORT}`);
  return {
    ...byKey,
    appUrl,
    dataDir: resolve(data.DATA_DIR),
    trustProxy: data.TRUST_PROXY.flatMap((proxy) => (proxy === containerNetworks ? findContainerNetworks() : [proxy])),
    backupDir: resolve(data.BACKUP_DIR ?? join(data.DATA_DIR, "backups")),
    // The subdomains of these hosts are allowed as well.
    pushAllowedHosts: [...pushServices, ...data.PUSH_ALLOWED_HOSTS],
    pushSubject: data.PUSH_SUBJECT ?? defaultPushSubject(appUrl),
    listenFd: readListenFd(env),
    misspeltVariables: listMisspeltVariables(
      Object.keys(env).filter((name) => env[name]),
      variables,
    ),
  };
}

function findContainerNetworks(): string[] {
  if (!isInContainer())
    throw new ConfigError("TRUST_PROXY", "is docker, but this is no container; name the address of the proxy.");
  const networks = listPrivateNetworks();
  if (networks.length > 0) return networks;
  throw new ConfigError("TRUST_PROXY", "is docker, but this container has no private network; name the address.");
}

function assertAllowedTogether({ APP_URL: appUrl, ...others }: Values, env: Environment): void {
  const isInsecure = appUrl?.protocol === "http:" && !isLoopback(appUrl.hostname);
  // Plain http would send cookies and passwords unencrypted.
  if (isInsecure && !others.ALLOW_INSECURE_HTTP) {
    const reason = "must use https; http is accepted for localhost only, or with ALLOW_INSECURE_HTTP=1.";
    throw new ConfigError("APP_URL", reason);
  }
  assertUsableOidc(others);
  if (others.PUSH_ALLOW_PRIVATE && env["NODE_ENV"] !== "test")
    throw new ConfigError("PUSH_ALLOW_PRIVATE", "is for tests only and needs NODE_ENV=test.");
  if (derivePublicKey(others.VAPID_PRIVATE_KEY) !== others.VAPID_PUBLIC_KEY)
    throw new ConfigError("VAPID_PUBLIC_KEY", "does not belong to VAPID_PRIVATE_KEY; either both are set or none.");
}

function assertUsableOidc(values: Omit<Values, "APP_URL">): void {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_ACCOUNTS: accounts, OIDC_GROUPS: groups } = values;
  if (issuer === null) {
    if (values.PASSWORD_LOGIN) return;
    throw new ConfigError("PASSWORD_LOGIN", "is 0 without OIDC_ISSUER, so nobody could log in.");
  }
  const { protocol, hostname } = new URL(issuer);
  if (protocol === "http:" && !isLoopback(hostname) && !values.ALLOW_INSECURE_HTTP) {
    const reason = "must use https; http is accepted for localhost only, or with ALLOW_INSECURE_HTTP=1.";
    throw new ConfigError("OIDC_ISSUER", reason);
  }
  if (clientId === null) throw new ConfigError("OIDC_CLIENT_ID", "is missing; OIDC_ISSUER needs it.");
  if (accounts === "automatic" && groups.length === 0)
    throw new ConfigError("OIDC_GROUPS", "is missing; OIDC_ACCOUNTS=automatic needs it.");
}

/** Returns `undefined` if the private key is invalid. */
function derivePublicKey(privateKey: string | null): string | null | undefined {
  if (privateKey === null) return null;
  const pair = createECDH("prime256v1");
  try {
    pair.setPrivateKey(privateKey, "base64url");
  } catch {
    return;
  }
  return pair.getPublicKey("base64url");
}

/** Push services accept only https and mailto addresses. */
function defaultPushSubject({ protocol, origin, hostname }: URL): string {
  return protocol === "https:" ? origin : `mailto:stammtisch@${hostname}`;
}

export function maskConfig(config: Config): Record<Variable, string> {
  const shown = variables.map((name) => {
    const value = config[keyOf(name)];
    const mask = variableInfo.get(configSchema.shape[name])?.mask;
    return [name, mask ? mask(value as never) : showValue(value)];
  });
  return Object.fromEntries(shown) as Record<Variable, string>;
}

/** In the order of the schema. */
export function describeVariables(): { name: Variable; defaultText: string; meaning: string }[] {
  return variables.map((name) => ({ name, ...variableInfo.get(configSchema.shape[name])! }));
}

/** Implements sd_listen_fds: the first socket that systemd passes is always file descriptor 3. */
function readListenFd(env: Environment): number | null {
  if (env["LISTEN_PID"] !== String(process.pid)) return null;
  if (env["LISTEN_FDS"] !== "1") throw new ConfigError("LISTEN_FDS", "must be 1: there is one socket to serve on.");
  return 3;
}

/** STAMMTISCH_IMAGE is for Compose, which passes the whole file .env to the container. */
const otherVariables = ["STAMMTISCH_ENV_FILE", "STAMMTISCH_IMAGE"];

/**
 * Throws for an unknown variable with our prefix. Other names may belong to other programs, so misspelt ones are only
 * reported (`misspeltVariables`).
 */
function assertKnownVariables(env: Environment): void {
  const unknown = Object.keys(env).find((name) => /^STAMMTISCH_/i.test(name) && !otherVariables.includes(name));
  if (unknown === undefined) return;
  const bare = unknown.replace(/^STAMMTISCH_/i, "");
  const [near] = [...listMisspeltVariables([unknown], otherVariables), ...listMisspeltVariables([bare], variables)];
  const meant = near?.meant ?? ((variables as string[]).includes(bare) ? bare : undefined);
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  throw new ConfigError(unknown.replace(/\W/g, "?").slice(0, 64), `is not a known variable.${hint}`);
}

/** An empty variable counts as not set, because Docker Compose passes variables without a value as empty. */
function readRawValue(env: Environment, name: string): string | undefined {
  const given = env[name] || undefined;
  const file = env[`${name}_FILE`] || undefined;
  if (file === undefined) return given;
  if (given !== undefined) throw new ConfigError(name, `and ${name}_FILE are both set; only one may be.`);
  const content = readText(`${name}_FILE`, file).replace(/\r?\n$/, "");
  if (content === "") throw new ConfigError(`${name}_FILE`, "names an empty file.");
  return content;
}

/** `name` is the variable that holds the path. */
function readText(name: string, path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    throw new ConfigError(name, `names a file that cannot be read (${code}).`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ConfigError(name, "names a file that is not UTF-8 text.");
  }
}
