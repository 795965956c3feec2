import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { parseEnvironmentFile } from "./config-file.ts";
import * as parse from "./config-values.ts";

/** Everything an operator can set, checked and with its defaults applied. docs/operating.md explains each variable. */
export interface Config {
  host: string;
  port: number;
  /** A listening socket that systemd handed over at the start, instead of host and port. */
  listenFd: number | null;
  appUrl: URL;
  extraOrigins: readonly string[];
  /** Absolute. */
  dataDir: string;
  /** Null: SQLite in `dataDir`. */
  databaseUrl: string | null;
  /** Null: the embedded server. */
  realtimeUrl: parse.RealtimeUrl | null;
  engineUrl: string;
  smtpUrl: string | null;
  mailFrom: string | null;
  groupName: string;
  groupShort: string;
  timeZone: string;
  /** Addresses and CIDRs whose forwarding headers count. */
  trustProxy: readonly string[];
  legalLinks: readonly { label: string; url: string }[];
  rememberDays: number;
  passwordMinLength: number;
  /** The well-known push services and those the operator added; subdomains of each count too. */
  pushAllowedHosts: readonly string[];
  pushSubject: string;
  pushAllowPrivate: boolean;
  rateLimitFactor: number;
  wsMaxSockets: number;
  wsMaxPerUser: number;
  wsMaxPerIp: number;
  heightRequestedBy: string;
  allowInsecureHttp: boolean;
  hibp: boolean;
  logLevel: "debug" | "info" | "warn" | "error";
}

/** A variable that cannot be used. The message is one line that names it and never shows its value. */
export class ConfigError extends Error {
  readonly variable: string;

  constructor(variable: string, reason: string) {
    super(`${variable} ${reason}`);
    this.name = "ConfigError";
    this.variable = variable;
  }
}

/** Commands run from any folder and still mean the same data. */
const defaultDataDir = resolve(import.meta.dirname, "../data");

const pushServices = [
  "fcm.googleapis.com",
  "updates.push.services.mozilla.com",
  "web.push.apple.com",
  "notify.windows.com",
  "jmt17.google.com",
];

/**
 * Adds to `env` what the file that STAMMTISCH_ENV_FILE names sets, or throws a ConfigError. What `env` has already stays, and a
 * DATA_DIR of its own sets the file's DATABASE_URL aside: the two together say where the data are.
 */
export function addEnvironmentFile(env: Record<string, string | undefined> = process.env): void {
  const path = env["STAMMTISCH_ENV_FILE"];
  if (!path) return;
  const variables = parseValue("STAMMTISCH_ENV_FILE", readText("STAMMTISCH_ENV_FILE", path), parseEnvironmentFile);
  const isGiven = (name: string): boolean => Boolean(env[name] || env[`${name}_FILE`]);
  const added = Object.entries(variables).filter(([variable]) => {
    const name = variable.replace(/_FILE$/, "");
    return !isGiven(name) && !(name === "DATABASE_URL" && isGiven("DATA_DIR"));
  });
  Object.assign(env, Object.fromEntries(added));
}

/** Reads the configuration from the environment, or throws a ConfigError for the first that cannot be used. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  assertKnownVariables(env);

  /** The checked value of a variable, or the fallback where it is not set. */
  function read<Value, Fallback>(name: string, check: (text: string) => Value, fallback: Fallback): Value | Fallback {
    const text = readRawValue(env, name);
    return text === undefined ? fallback : parseValue(name, text, check);
  }

  const port = read("PORT", parse.wholeNumber(0, 65_535), 3000);
  const allowInsecureHttp = read("ALLOW_INSECURE_HTTP", parse.flag, false);
  const appUrl = read("APP_URL", parse.appUrl(allowInsecureHttp), new URL(`http://localhost:${port}`));
  const pushAllowPrivate = read("PUSH_ALLOW_PRIVATE", parse.flag, false);
  if (pushAllowPrivate && env["NODE_ENV"] !== "test") {
    throw new ConfigError("PUSH_ALLOW_PRIVATE", "is for tests only and needs NODE_ENV=test.");
  }

  return {
    host: read("HOST", parse.hostName, "127.0.0.1"),
    port,
    listenFd: readListenFd(env),
    appUrl,
    extraOrigins: read("EXTRA_ORIGINS", parse.listOf(parse.origin), []),
    dataDir: resolve(read("DATA_DIR", parse.text(1, 4096), defaultDataDir)),
    databaseUrl: read("DATABASE_URL", parse.databaseUrl, null),
    realtimeUrl: read("REALTIME_URL", parse.realtimeUrl, null),
    engineUrl: read("ENGINE_URL", parse.engineUrl, "unix:///var/run/docker.sock"),
    smtpUrl: read("SMTP_URL", parse.smtpUrl, null),
    mailFrom: read("MAIL_FROM", parse.mailFrom, null),
    groupName: read("GROUP_NAME", parse.text(1, 64), "Stammtisch"),
    groupShort: read("GROUP_SHORT", parse.text(1, 16), "KSK"),
    timeZone: read("TIME_ZONE", parse.timeZone, "Europe/Berlin"),
    trustProxy: read("TRUST_PROXY", parse.listOf(parse.proxy), []),
    legalLinks: read("LEGAL_LINKS", parse.legalLinks, []),
    rememberDays: read("REMEMBER_DAYS", parse.wholeNumber(1, 90), 30),
    passwordMinLength: read("PASSWORD_MIN_LENGTH", parse.wholeNumber(8, 128), 8),
    pushAllowedHosts: [...pushServices, ...read("PUSH_ALLOWED_HOSTS", parse.listOf(parse.hostName), [])],
    pushSubject: read("PUSH_SUBJECT", parse.pushSubject, defaultPushSubject(appUrl)),
    pushAllowPrivate,
    rateLimitFactor: read("RATE_LIMIT_FACTOR", parse.factor, 1),
    wsMaxSockets: read("WS_MAX_SOCKETS", parse.wholeNumber(1, 1_000_000), 12_000),
    wsMaxPerUser: read("WS_MAX_PER_USER", parse.wholeNumber(1, 1_000_000), 20),
    wsMaxPerIp: read("WS_MAX_PER_IP", parse.wholeNumber(1, 1_000_000), 200),
    heightRequestedBy: read("HEIGHT_REQUESTED_BY", parse.text(1, 64), "einem Mitglied"),
    allowInsecureHttp,
    hibp: read("HIBP", parse.flag, false),
    logLevel: read("LOG_LEVEL", parse.oneOf("debug", "info", "warn", "error"), "info"),
  };
}

/** What `check` makes of the text given for a variable; a BadValue becomes the ConfigError that names it. */
function parseValue<Value>(name: string, text: string, check: (text: string) => Value): Value {
  try {
    return check(text);
  } catch (error) {
    if (error instanceof parse.InvalidValueError) throw new ConfigError(name, error.message);
    throw error;
  }
}

/** How a push service reaches the operator; of addresses it accepts https and mail only. */
function defaultPushSubject({ protocol, origin, hostname }: URL): string {
  return protocol === "https:" ? origin : `mailto:stammtisch@${hostname}`;
}

/** The configuration as `doctor` may print it: by variable, secrets masked. */
export function maskConfig(config: Config): Record<string, string> {
  const realtime = config.realtimeUrl;
  const flag = (isSet: boolean) => (isSet ? "1" : "0");
  return {
    HOST: config.host,
    PORT: String(config.port),
    APP_URL: config.appUrl.origin,
    EXTRA_ORIGINS: config.extraOrigins.join(","),
    DATA_DIR: config.dataDir,
    DATABASE_URL: maskUrl(config.databaseUrl),
    REALTIME_URL: realtime ? `pusher://***@${realtime.host}/${realtime.appId}?cluster=${realtime.cluster}` : "",
    ENGINE_URL: config.engineUrl,
    SMTP_URL: maskUrl(config.smtpUrl),
    MAIL_FROM: config.mailFrom ?? "",
    GROUP_NAME: config.groupName,
    GROUP_SHORT: config.groupShort,
    TIME_ZONE: config.timeZone,
    TRUST_PROXY: config.trustProxy.join(","),
    LEGAL_LINKS: JSON.stringify(config.legalLinks),
    REMEMBER_DAYS: String(config.rememberDays),
    PASSWORD_MIN_LENGTH: String(config.passwordMinLength),
    PUSH_ALLOWED_HOSTS: config.pushAllowedHosts.join(","),
    PUSH_SUBJECT: config.pushSubject,
    PUSH_ALLOW_PRIVATE: flag(config.pushAllowPrivate),
    RATE_LIMIT_FACTOR: String(config.rateLimitFactor),
    WS_MAX_SOCKETS: String(config.wsMaxSockets),
    WS_MAX_PER_USER: String(config.wsMaxPerUser),
    WS_MAX_PER_IP: String(config.wsMaxPerIp),
    HEIGHT_REQUESTED_BY: config.heightRequestedBy,
    ALLOW_INSECURE_HTTP: flag(config.allowInsecureHttp),
    HIBP: flag(config.hibp),
    LOG_LEVEL: config.logLevel,
  };
}

/** systemd's protocol for handing over sockets (sd_listen_fds): the first one is always file descriptor 3. */
function readListenFd(env: Record<string, string | undefined>): number | null {
  if (env["LISTEN_PID"] !== String(process.pid)) return null;
  if (env["LISTEN_FDS"] !== "1") throw new ConfigError("LISTEN_FDS", "must be 1: there is one socket to serve on.");
  return 3;
}

/** A misspelt variable would otherwise go unnoticed; only our own prefix can be told from the machine's other variables. */
function assertKnownVariables(env: Record<string, string | undefined>): void {
  const unknown = Object.keys(env).find((name) => /^STAMMTISCH_/i.test(name) && name !== "STAMMTISCH_ENV_FILE");
  if (unknown) throw new ConfigError(unknown.replace(/\W/g, "?").slice(0, 64), "is not a known variable.");
}

/** The text given for a variable, by itself or through a file. Set but empty counts as not set, as Compose writes it. */
function readRawValue(env: Record<string, string | undefined>, name: string): string | undefined {
  const given = env[name] || undefined;
  const file = env[`${name}_FILE`] || undefined;
  if (file === undefined) return given;
  if (given !== undefined) throw new ConfigError(name, `and ${name}_FILE are both set; only one may be.`);
  return readFileValue(`${name}_FILE`, file);
}

function readFileValue(name: string, path: string): string {
  const content = readText(name, path).replace(/\r?\n$/, "");
  if (content === "") throw new ConfigError(name, "names an empty file.");
  return content;
}

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

/** An address without what may be secret in it: user, password and query. Null becomes an empty text. */
export function maskUrl(url: string | null): string {
  if (url === null) return "";
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username ? "***@" : ""}${host}${pathname}`;
}
