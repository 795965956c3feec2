// Every environment variable: how it is written, what holds where it is not set, what it means, and how it may be shown.
// The configuration, the help, the doctor and the table in docs/operating.md are derived from this schema.
import { resolve } from "node:path";

import * as z from "zod/mini";

import * as values from "./config-values.ts";

interface VariableInfo<Value = never> {
  /** For the help and the documentation, in Markdown. */
  readonly meaning: string;
  /** What the documentation says of the default, where the value alone does not say it. */
  readonly defaultText: string;
  /** Shows the value without its secret. Only variables that may hold a secret have it. */
  readonly mask?: (value: Value) => string;
}

/** What is known of each variable beside its schema. */
export const variableInfo = z.registry<VariableInfo>();

/** A variable whose text becomes a `Value`; `fallback` holds where it is not set. */
function variable<Value, Fallback extends Value | null>(
  schema: z.ZodMiniType<Value, string>,
  fallback: Fallback,
  meaning: string,
  { defaultText = describe(fallback), mask }: Partial<VariableInfo<Value | null>> = {},
) {
  type Configured = z.ZodMiniType<Value | Extract<Fallback, null>, string | undefined>;
  // A default is never checked by its schema, so it may also be null.
  const configured = z._default(schema, fallback as never) as unknown as Configured;
  return configured.register(variableInfo, { meaning, defaultText, ...(mask && { mask }) });
}

function secret(schema: z.ZodMiniType<string, string>, meaning: string) {
  return variable(schema, null, meaning, { defaultText: "generated", mask: (value) => (value === null ? "" : "***") });
}

/** Commands run from any folder and still use the same data. */
const defaultDataDir = resolve(import.meta.dirname, "../data");

export const configSchema = z.object({
  HOST: variable(values.hostName, "127.0.0.1", "the address to listen on"),
  PORT: variable(values.wholeNumber(0, 65_535), 3000, "the port to listen on"),
  APP_URL: variable(
    values.appUrl,
    null,
    "the public address, used for links, cookies, and the allowed Host and Origin. Must be https except for loopback names or with `ALLOW_INSECURE_HTTP=1`",
    { defaultText: "`http://localhost:PORT`" },
  ),
  EXTRA_ORIGINS: variable(values.listOf(values.origin), [], "more allowed origins, comma separated"),
  DATA_DIR: variable(
    values.text(1, 4096),
    defaultDataDir,
    "the directory for the database, the secrets and other data",
    {
      defaultText: "`data` in the program folder",
    },
  ),
  DATABASE_URL: variable(values.databaseUrl, null, "`postgres://…` uses PostgreSQL, which allows several instances", {
    defaultText: "SQLite in `DATA_DIR`",
    mask: maskUrl,
  }),
  REALTIME_URL: variable(
    values.realtimeUrl,
    null,
    "`pusher://KEY:SECRET@HOST/APP_ID?cluster=eu` publishes events through a Pusher-compatible service. `&tls=0` if it has no TLS",
    {
      defaultText: "built-in server",
      mask: (url) => (url ? `pusher://***@${url.host}/${url.appId}?cluster=${url.cluster}` : ""),
    },
  ),
  APP_KEY: secret(values.text(32, 256), "signs CSRF tokens: at least 32 random characters"),
  REALTIME_SECRET: secret(
    values.text(32, 256),
    "signs the access to channels of the built-in WebSocket server: at least 32 random characters",
  ),
  VAPID_PRIVATE_KEY: secret(
    values.base64Url(32),
    "the key for pushes (P-256, base64url), together with its public key",
  ),
  VAPID_PUBLIC_KEY: variable(values.base64Url(65), null, "the public key that belongs to `VAPID_PRIVATE_KEY`", {
    defaultText: "generated",
  }),
  ENGINE_URL: variable(values.engineUrl, "unix:///var/run/docker.sock", "the Docker or Podman API for game servers"),
  SMTP_URL: variable(
    values.smtpUrl,
    null,
    "the mail server. Without it, mails are written to `DATA_DIR/outbox/*.eml`, and members who forgot their password are told to ask an administrator",
    { mask: maskUrl },
  ),
  MAIL_FROM: variable(values.mailFrom, null, "the sender address of mails, with or without a name"),
  GROUP_NAME: variable(values.text(1, 64), "Stammtisch", "the name in the header"),
  GROUP_SHORT: variable(values.text(1, 16), "KSK", "the abbreviation on the counter"),
  TIME_ZONE: variable(
    values.timeZone,
    "Europe/Berlin",
    "the time zone for days, weeks and calendar doors. After a change, the next start recalculates the statistics",
  ),
  TRUST_PROXY: variable(
    values.listOf(values.proxy),
    [],
    "addresses or CIDRs of your reverse proxies, comma separated. `X-Forwarded-For` is ignored from all others",
  ),
  LEGAL_LINKS: variable(values.legalLinks, [], 'footer links as JSON: `[{"label":"Impressum","url":"https://…"}]`'),
  REMEMBER_DAYS: variable(values.wholeNumber(1, 90), 30, 'how long "Eingeloggt bleiben" lasts, 1 to 90 days'),
  PASSWORD_MIN_LENGTH: variable(values.wholeNumber(8, 128), 8, "for new passwords, 8 to 128"),
  PUSH_ALLOWED_HOSTS: variable(
    values.listOf(values.hostName),
    [],
    "push services to allow besides those of the common browsers, comma separated, subdomains included",
  ),
  PUSH_SUBJECT: variable(
    values.pushSubject,
    null,
    "how a push service can reach you: a `mailto:` or `https:` address",
    { defaultText: "`APP_URL`, without https `mailto:stammtisch@HOST`" },
  ),
  PUSH_ALLOW_PRIVATE: variable(
    values.flag,
    false,
    "`1` allows pushes to private addresses and other ports. Only accepted with `NODE_ENV=test`",
  ),
  RATE_LIMIT_FACTOR: variable(values.factor, 1, "multiplies every rate limit, including the login throttle"),
  WS_MAX_SOCKETS: variable(values.wholeNumber(1, 1_000_000), 12_000, "limit for open WebSockets"),
  WS_MAX_PER_USER: variable(values.wholeNumber(1, 1_000_000), 20, "limit for open WebSockets of one member"),
  WS_MAX_PER_IP: variable(values.wholeNumber(1, 1_000_000), 200, "limit for open WebSockets from one IP address"),
  HEIGHT_REQUESTED_BY: variable(
    values.text(1, 64),
    "einem Mitglied",
    "who requested the height calculator, for visitors. All of them see it: name a person only if he or she agreed",
  ),
  ALLOW_INSECURE_HTTP: variable(
    values.flag,
    false,
    "`1` allows an http `APP_URL` on a LAN name. Cookies are then not Secure",
  ),
  ADMIN_PASSKEY: variable(
    values.flag,
    false,
    "`1` opens the admin area only to administrators who confirm with a passkey; only they change the parties of others",
  ),
  HIBP: variable(values.flag, false, "`1` checks new passwords against Have I Been Pwned (k-anonymity)"),
  LOG_LEVEL: variable(values.oneOf("debug", "info", "warn", "error"), "info", "`debug`, `info`, `warn` or `error`"),
});

export type Variable = keyof typeof configSchema.shape;

/** The name of a variable's value in the configuration, e.g. `wsMaxPerIp` for `WS_MAX_PER_IP`. */
export type KeyOf<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<KeyOf<Rest>>}`
  : Lowercase<Name>;

export function keyOf<Name extends Variable>(name: Name): KeyOf<Name> {
  return name.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as KeyOf<Name>;
}

/** A default as the documentation shows it. */
function describe(fallback: unknown): string {
  const text = showValue(fallback);
  return text === "" ? "–" : `\`${text}\``;
}

/** A value as text, the way it would be written in the environment. */
export function showValue(value: unknown): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "1" : "0";
  if (value instanceof URL) return value.origin;
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) return value.join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** An address without what may be secret in it: user, password and query. Null becomes an empty text. */
export function maskUrl(url: string | null): string {
  if (url === null) return "";
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username ? "***@" : ""}${host}${pathname}`;
}
