// The configuration, the help text, `doctor` and the table in docs/operating.md are derived from this schema.
import { resolve } from "node:path";

import * as z from "zod/mini";

import { backupIntervals } from "#contract/backups.ts";
import { defaultPasswordLength } from "#contract/group-config.ts";
import * as values from "./config-values.ts";

interface VariableInfo<Value = never> {
  /** Markdown. */
  readonly meaning: string;
  readonly defaultText: string;
  /** Formats the value without its secret part. Missing for variables that hold no secret. */
  readonly mask?: (value: Value) => string;
}

export const variableInfo = z.registry<VariableInfo>();

function variable<Value, Fallback extends Value | null>(
  schema: z.ZodMiniType<Value, string>,
  fallback: Fallback,
  meaning: string,
  { defaultText = describe(fallback), mask }: Partial<VariableInfo<Value | null>> = {},
) {
  type Configured = z.ZodMiniType<Value | Extract<Fallback, null>, string | undefined>;
  // The cast allows `null` as default although the schema rejects it: zod does not validate defaults.
  const configured = z._default(schema, fallback as never) as unknown as Configured;
  return configured.register(variableInfo, { meaning, defaultText, ...(mask && { mask }) });
}

function secret(schema: z.ZodMiniType<string, string>, meaning: string) {
  return variable(schema, null, meaning, { defaultText: "generated", mask: (value) => (value === null ? "" : "***") });
}

/** Absolute, so that commands find the same data from every working directory. */
const defaultDataDir = resolve(import.meta.dirname, "../data");

export const configSchema = z.object({
  HOST: variable(values.hostName, "127.0.0.1", "address to listen on"),
  PORT: variable(values.wholeNumber(0, 65_535), 3000, "port to listen on"),
  APP_URL: variable(
    values.appUrl,
    null,
    "public address: used in links and cookies, and accepted as Host and Origin. Must be https, except for loopback names or with `ALLOW_INSECURE_HTTP=1`",
    { defaultText: "`http://localhost:PORT`" },
  ),
  EXTRA_ORIGINS: variable(values.listOf(values.origin), [], "further origins to accept, comma separated"),
  DATA_DIR: variable(
    values.text(1, 4096),
    defaultDataDir,
    "directory of the database, the generated secrets and other data",
    {
      defaultText: "`data` in the program folder",
    },
  ),
  BACKUP_EVERY: variable(
    values.oneOf(...backupIntervals),
    "daily",
    "how often the server makes a backup: `daily`, `weekly` or `off`. After four at night in `TIME_ZONE`",
  ),
  BACKUP_KEEP: variable(values.wholeNumber(1, 1000), 14, "number of these backups that are kept, 1 to 1000"),
  BACKUP_DIR: variable(values.text(1, 4096), null, "folder of these backups, for example on another disk", {
    defaultText: "`DATA_DIR/backups`",
  }),
  DATABASE_URL: variable(
    values.databaseUrl,
    null,
    "`postgres://…` stores the data in PostgreSQL, which several instances can share",
    {
      defaultText: "SQLite in `DATA_DIR`",
      mask: maskUrl,
    },
  ),
  DATABASE_DIRECT_URL: variable(
    values.databaseUrl,
    null,
    "address of the same PostgreSQL without the pooler of `DATABASE_URL`, for notifications between instances",
    {
      defaultText: "`DATABASE_URL`",
      mask: maskUrl,
    },
  ),
  REALTIME_URL: variable(
    values.realtimeUrl,
    null,
    "`pusher://KEY:SECRET@HOST/APP_ID?cluster=eu` publishes events through a Pusher-compatible service. Add `&tls=0` if it has no TLS",
    {
      defaultText: "built-in server",
      mask: (url) => (url ? `pusher://***@${url.host}/${url.appId}?cluster=${url.cluster}` : ""),
    },
  ),
  APP_KEY: secret(
    values.text(32, 256),
    "secret that signs CSRF tokens and determines the first invitation link: at least 32 random characters",
  ),
  REALTIME_SECRET: secret(
    values.text(32, 256),
    "secret that signs subscriptions to channels of the built-in WebSocket server: at least 32 random characters",
  ),
  VAPID_PRIVATE_KEY: secret(
    values.base64Url(32),
    "private key for pushes (P-256, base64url). Needs `VAPID_PUBLIC_KEY`",
  ),
  VAPID_PUBLIC_KEY: variable(values.base64Url(65), null, "public key of `VAPID_PRIVATE_KEY` (base64url)", {
    defaultText: "generated",
  }),
  ENGINE_URL: variable(
    values.engineUrl,
    "unix:///var/run/docker.sock",
    "address of the Docker or Podman API for game servers: `unix://…` or `http://…`",
  ),
  SMTP_URL: variable(
    values.smtpUrl,
    null,
    "mail server: `smtp://…` or `smtps://…`. Without it, mails are written to `DATA_DIR/outbox/*.eml`, and pages tell members to ask an administrator for a new password",
    { mask: maskUrl },
  ),
  MAIL_FROM: variable(values.mailFrom, null, "sender address of mails, with or without a name"),
  GROUP_NAME: variable(
    values.text(1, 64),
    "Stammtisch",
    "name of the group: in the header, in mails and in notifications",
  ),
  GROUP_SHORT: variable(
    values.text(1, 16),
    "KSK",
    "abbreviation of the group: on the counter, on TVs and in the calendar",
  ),
  TIME_ZONE: variable(
    values.timeZone,
    "Europe/Berlin",
    "time zone of days, weeks and calendar doors. After a change, the next start recalculates the statistics",
  ),
  TRUST_PROXY: variable(
    values.listOf(values.proxy),
    [],
    "addresses or CIDRs of your reverse proxies, comma separated. `X-Forwarded-For` counts only from these. `docker` stands for the networks of the container",
  ),
  LEGAL_LINKS: variable(values.legalLinks, [], 'footer links as JSON: `[{"label":"Impressum","url":"https://…"}]`'),
  REMEMBER_DAYS: variable(
    values.wholeNumber(1, 90),
    30,
    'days that a login with "Eingeloggt bleiben" (ticked by default) lasts, 1 to 90',
  ),
  PASSWORD_MIN_LENGTH: variable(
    values.wholeNumber(8, 128),
    defaultPasswordLength,
    "minimum length of new passwords, 8 to 128",
  ),
  PUSH_ALLOWED_HOSTS: variable(
    values.listOf(values.hostName),
    [],
    "further push services, besides those of the common browsers: host names, comma separated. Their subdomains are included",
  ),
  PUSH_SUBJECT: variable(
    values.pushSubject,
    null,
    "address at which a push service can reach you: `mailto:` or `https:`",
    { defaultText: "`APP_URL` if it is https, otherwise `mailto:stammtisch@HOST`" },
  ),
  PUSH_ALLOW_PRIVATE: variable(
    values.flag,
    false,
    "`1` allows pushes to private addresses and to other ports than 443. Accepted only with `NODE_ENV=test`",
  ),
  WEBHOOK_ALLOW_PRIVATE: variable(
    values.flag,
    false,
    "`1` allows webhooks to private addresses and over plain http, for example to a program in your own network",
  ),
  RATE_LIMIT_FACTOR: variable(values.factor, 1, "factor for all rate limits, including the login throttle"),
  WS_MAX_SOCKETS: variable(values.wholeNumber(1, 1_000_000), 12_000, "maximum number of open WebSockets"),
  WS_MAX_PER_USER: variable(
    values.wholeNumber(1, 1_000_000),
    20,
    "maximum number of open WebSockets per member on all instances; each accepts an equal share",
  ),
  WS_MAX_PER_IP: variable(
    values.wholeNumber(1, 1_000_000),
    200,
    "maximum number of open WebSockets without a login per IP address",
  ),
  HEIGHT_REQUESTED_BY: variable(
    values.text(1, 64),
    "einem Mitglied",
    "name of the person who requested the height calculator, as guests read it. Name a person only with their consent",
  ),
  ALLOW_INSECURE_HTTP: variable(
    values.flag,
    false,
    "`1` accepts an http `APP_URL` with a LAN name. Cookies are then not Secure",
  ),
  HSTS_SUBDOMAINS: variable(
    values.flag,
    false,
    "`1` makes browsers use https for all subdomains of `APP_URL`, too, for a year after the last visit",
  ),
  ADMIN_PASSKEY: variable(
    values.flag,
    false,
    "`1` requires a passkey from administrators for the admin area and for changes of other members' parties",
  ),
  OIDC_ISSUER: variable(
    values.oidcIssuer,
    null,
    "address of an OpenID provider with which members can log in. Must be https, except for loopback names or with `ALLOW_INSECURE_HTTP=1`",
  ),
  OIDC_CLIENT_ID: variable(values.text(1, 256), null, "id of this program at the OpenID provider"),
  OIDC_CLIENT_SECRET: variable(
    values.text(1, 1024),
    null,
    "secret of this program at the OpenID provider; empty for a public client",
    { mask: (value) => (value === null ? "" : "***") },
  ),
  OIDC_LABEL: variable(values.text(1, 40), "Mit OpenID anmelden", "label of the button on the login page"),
  OIDC_ACCOUNTS: variable(
    values.oneOf("invitation", "automatic"),
    "invitation",
    "who may create an account with OpenID. `invitation`: who has an invitation. `automatic`: everyone in `OIDC_GROUPS`",
  ),
  OIDC_GROUPS: variable(
    values.listOf(values.text(1, 256)),
    [],
    "only members of one of these groups may log in with OpenID, comma separated. Read from the claim `groups`",
  ),
  PASSWORD_LOGIN: variable(
    values.flag,
    true,
    "`0` refuses logins with a password or passkey, so that only the OpenID provider is left",
  ),
  HIBP: variable(
    values.flag,
    false,
    "`1` checks new passwords with Have I Been Pwned, which receives only the first characters of a hash",
  ),
  RELEASES_URL: variable(
    values.feedUrl,
    null,
    "https address of the list of releases of your copy's repository, as JSON. Administrators can then switch on a daily look for a newer version",
    { mask: maskUrl },
  ),
  METRICS_TOKEN: variable(
    values.text(24, 256),
    null,
    "secret of at least 24 characters. Enables `/metrics` for Prometheus, which sends it as a bearer token",
    { mask: (token) => (token === null ? "" : "***") },
  ),
  LOG_LEVEL: variable(
    values.oneOf("debug", "info", "warn", "error"),
    "info",
    "lowest level of logged lines: `debug`, `info`, `warn` or `error`",
  ),
});

export type Variable = keyof typeof configSchema.shape;

/** Type of a variable's key in `Config`, e.g. `wsMaxPerIp` for `WS_MAX_PER_IP`. */
export type KeyOf<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<KeyOf<Rest>>}`
  : Lowercase<Name>;

export function keyOf<Name extends Variable>(name: Name): KeyOf<Name> {
  return name.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as KeyOf<Name>;
}

function describe(fallback: unknown): string {
  const text = showValue(fallback);
  return text === "" ? "–" : `\`${text}\``;
}

export function showValue(value: unknown): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "1" : "0";
  if (value instanceof URL) return value.origin;
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) return value.join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Removes user, password and query, because each may contain a secret. */
export function maskUrl(url: string | null): string {
  if (url === null) return "";
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username ? "***@" : ""}${host}${pathname}`;
}
