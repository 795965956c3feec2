import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { configSchema, keyOf, type Variable } from "./config-schema.ts";
import { ConfigError, describeVariables, maskConfig, readConfig } from "./config.ts";
import { generateSecrets } from "./platform/security/secrets.ts";

const folder = createTemporaryFolder();

test("the configuration without any environment variable consists of the defaults", () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    host: "127.0.0.1",
    port: 3000,
    databaseUrl: null,
    groupShort: "KSK",
    rememberDays: 30,
    rateLimitFactor: 1,
    wsMaxSockets: 12_000,
    trustProxy: [],
    hibp: false,
    logLevel: "info",
  });
  expect(config.appUrl.href).toBe("http://localhost:3000/");
  expect(config.pushSubject).toBe("mailto:stammtisch@localhost");
  expect(config.dataDir).toBe(join(process.cwd(), "data"));
  expect(config.pushAllowedHosts).toContain("web.push.apple.com");
});

test("the default APP_URL uses the configured port", () => {
  expect(readConfig({ PORT: "4100" }).appUrl.href).toBe("http://localhost:4100/");
});

test("an empty environment variable counts as not set", () => {
  expect(readConfig({ PORT: "", TRUST_PROXY: "", DATABASE_URL: "", GROUP_NAME_FILE: "" }).port).toBe(3000);
});

test("comma-separated variables are parsed to lists", () => {
  const config = readConfig({
    EXTRA_ORIGINS: "https://a.example, http://b.example:8080",
    TRUST_PROXY: "127.0.0.9/32, 10.0.0.0/8,::1, fd00::/8",
    PUSH_ALLOWED_HOSTS: "push.example.test,127.0.0.1",
  });
  expect(config.extraOrigins).toEqual(["https://a.example", "http://b.example:8080"]);
  expect(config.trustProxy).toEqual(["127.0.0.9/32", "10.0.0.0/8", "::1", "fd00::/8"]);
  expect(config.pushAllowedHosts.slice(-2)).toEqual(["push.example.test", "127.0.0.1"]);
});

test("REALTIME_URL is parsed to key, secret, app, host, port and cluster", () => {
  const REALTIME_URL = "pusher://key:se%2Fcret@api-eu.example.org/12345?cluster=us2";
  expect(readConfig({ REALTIME_URL }).realtimeUrl).toEqual({
    key: "key",
    secret: "se/cret",
    appId: "12345",
    host: "api-eu.example.org",
    port: null,
    cluster: "us2",
    isHttps: true,
  });
  expect(readConfig({ REALTIME_URL: "pusher://k:s@127.0.0.1:6001/app" }).realtimeUrl).toMatchObject({
    port: 6001,
    cluster: "eu",
    isHttps: false,
  });
});

const vapid = generateSecrets().vapid;

test("the VAPID keys are accepted only if both are set and form a key pair", () => {
  const env = { VAPID_PRIVATE_KEY: vapid.privateKey, VAPID_PUBLIC_KEY: vapid.publicKey };
  expect(readConfig(env)).toMatchObject({ vapidPrivateKey: vapid.privateKey, vapidPublicKey: vapid.publicKey });
  const others = generateSecrets().vapid;
  const wrong = { VAPID_PRIVATE_KEY: others.privateKey, VAPID_PUBLIC_KEY: undefined };
  for (const change of [wrong, { ...wrong, VAPID_PRIVATE_KEY: "A".repeat(43) }])
    expect(() => readConfig({ ...env, ...change })).toThrow("VAPID_PUBLIC_KEY does not belong to VAPID_PRIVATE_KEY");
  expect(() => readConfig({ ...env, VAPID_PRIVATE_KEY: others.privateKey })).toThrow("does not belong");
});

const accepted: Record<string, string[]> = {
  APP_URL: [
    "https://stammtisch.example",
    "https://stammtisch.example:8443/",
    "http://127.0.0.1:3000",
    "http://[::1]:3000",
  ],
  APP_KEY: ["x".repeat(32)],
  BACKUP_DIR: ["/backup"],
  RELEASES_URL: ["https://code.example/api/v1/repos/anna/stammtisch/releases?limit=10"],
  METRICS_TOKEN: ["x".repeat(24)],
  DATABASE_URL: ["postgres://u:p@db:5432/app?sslmode=require", "postgresql:///app?host=/run/postgresql"],
  DATABASE_DIRECT_URL: ["postgres://u:p@db:5432/app"],
  ENGINE_URL: ["unix:///run/podman/podman.sock", "http://127.0.0.1:2375"],
  SMTP_URL: ["smtp://localhost:2525", "smtps://user:secret@mail.example.org"],
  MAIL_FROM: ["wirt@example.org", "Der Stammtisch <wirt@example.org>"],
  RATE_LIMIT_FACTOR: ["0.5", "1000"],
  TIME_ZONE: ["UTC", "America/New_York"],
  LEGAL_LINKS: [
    '[\n  { "label": "Impressum", "url": "/impressum" }\n]',
    '[{"label":"Post","url":"mailto:a@example.org"}]',
  ],
  PUSH_SUBJECT: ["mailto:wirt@example.org", "https://stammtisch.example"],
  PORT: ["0", "65535"],
  OIDC_CLIENT_ID: ["stammtisch"],
  OIDC_CLIENT_SECRET: ["Zapfhahn"],
  OIDC_LABEL: ["Mit dem Vereinskonto anmelden"],
  OIDC_GROUPS: ["stammtisch, /realm/vorstand"],
  PASSWORD_LOGIN: ["1"],
};

test.for(Object.entries(accepted).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
  "the configuration accepts %s=%s",
  ([name, value]) => {
    expect(() => readConfig({ [name]: value })).not.toThrow();
  },
);

const refused: Record<string, string[]> = {
  OIDC_ISSUER: [
    "id.example",
    "ftp://id.example",
    "https://u:hunter2@id.example",
    "https://id.example/?a=1",
    "https://id.example/.well-known/openid-configuration",
  ],
  OIDC_ACCOUNTS: ["everyone"],
  PASSWORD_LOGIN: ["no", "0"],
  HOST: ["http://localhost", "a b", "-x", "host:80"],
  PORT: ["99999", "-1", "3000.5", "abc", "0x10", " 80"],
  APP_URL: [
    "stammtisch",
    "ftp://a.example",
    "http://stammtisch.example",
    "https://a.example/path",
    "https://u:p@a.example",
    "https://",
    "http://127.0.0.1.evil.example",
  ],
  EXTRA_ORIGINS: ["https://a.example/", "*", "null", "https://a.example,,https://b.example", "https://u@a.example"],
  DATABASE_DIRECT_URL: ["mysql://root:hunter2@db/app"],
  DATABASE_URL: ["mysql://root:hunter2@db/app", "postgres://", "hunter2", "postgres://u:hunter2@db:99999/x"],
  REALTIME_URL: [
    "pusher://key@host/1",
    "https://key:hunter2@host/1",
    "pusher://k:hunter2@host/",
    "pusher://k:hunter2@h/1?x=1",
  ],
  RELEASES_URL: [
    "http://code.example/releases",
    "https://user:hunter2@code.example/",
    "releases",
    "file:///etc/passwd",
  ],
  METRICS_TOKEN: ["hunter2", "x".repeat(23), "x".repeat(257)],
  APP_KEY: ["hunter2", "x".repeat(31), `\n${"x".repeat(32)}`],
  REALTIME_SECRET: ["x".repeat(31)],
  VAPID_PRIVATE_KEY: ["hunter2", "A".repeat(42), "A".repeat(44)],
  VAPID_PUBLIC_KEY: ["hunter2", vapid.publicKey],
  ENGINE_URL: ["docker", "unix://", "unix:///tmp/%zz", "ssh://host"],
  SMTP_URL: [
    "mail.example.org",
    "http://user:hunter2@mail.example.org",
    "smtp://",
    "smtp://user:hunter%2@mail.example.org",
  ],
  MAIL_FROM: ["wirt", "a@b.example, c@d.example", "X <a@b.example>\r\nBcc: c@d.example"],
  GROUP_NAME: [" ", "x".repeat(65), "a\u001B[31m", "a\nb"],
  GROUP_SHORT: ["x".repeat(17)],
  TIME_ZONE: ["Europe/Atlantis", "+01:00", "Berlin"],
  TRUST_PROXY: [
    "true",
    "*",
    "1",
    "loopback",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "0.0.0.0/0",
    "::/0",
    "::ffff:10.0.0.0/8",
    "::ffff:10.0.0.0/95",
    "::/64",
    "10.0.0.1,",
  ],
  LEGAL_LINKS: [
    "Impressum",
    "{}",
    '[{"label":"x"}]',
    '[{"label":"x","url":"javascript:alert(1)"}]',
    '[{"label":"x","url":"//evil.example"}]',
    '[{"label":"x","url":"/\\\\evil.example"}]',
    '[{"label":"a\\u0000b","url":"/x"}]',
    '[{"label":"x","url":"/x","onclick":"y"}]',
  ],
  REMEMBER_DAYS: ["0", "91"],
  PASSWORD_MIN_LENGTH: ["7", "300"],
  PUSH_ALLOWED_HOSTS: ["https://push.example", "push.example:443", "*.example"],
  PUSH_SUBJECT: ["wirt@example.org", "http://a.example"],
  PUSH_ALLOW_PRIVATE: ["1", "yes"],
  RATE_LIMIT_FACTOR: ["0", "0.0", "-1", "1e3", "Infinity", "x"],
  WS_MAX_SOCKETS: ["0", "many"],
  WS_MAX_PER_USER: ["0"],
  WS_MAX_PER_IP: ["1.5"],
  HEIGHT_REQUESTED_BY: ["\u0007"],
  ALLOW_INSECURE_HTTP: ["true"],
  HSTS_SUBDOMAINS: ["true"],
  BACKUP_EVERY: ["hourly", "1"],
  BACKUP_KEEP: ["0", "1001", "many"],
  ADMIN_PASSKEY: ["yes"],
  HIBP: ["on"],
  WEBHOOK_ALLOW_PRIVATE: ["on"],
  LOG_LEVEL: ["verbose"],
  DATA_DIR: ["a\u0000b"],
};

test.for(Object.entries(refused).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
  "the configuration refuses %s=%j",
  ([name, value]) => {
    const error = errorOf({ [name]: value });
    expect(error.variable).toBe(name);
    expect(error.message.startsWith(`${name} `)).toBe(true);
    expect(error.message).not.toMatch(/\n|hunter2/);
  },
);

test("the configuration refuses an unknown STAMMTISCH_ variable and names it", () => {
  expect(errorOf({ STAMMTISCH_PROT: "3000" }).variable).toBe("STAMMTISCH_PROT");
  for (const [name, meant] of [
    ["STAMMTISCH_PORT", "PORT"],
    ["STAMMTISCH_TRUSTPROXY", "TRUST_PROXY"],
    ["STAMMTISCH_ENVFILE", "STAMMTISCH_ENV_FILE"],
  ])
    expect(errorOf({ [name!]: "3000" }).message).toBe(`${name} is not a known variable. Did you mean ${meant}?`);
  expect(errorOf({ STAMMTISCH_BEER: "1" }).message).toBe("STAMMTISCH_BEER is not a known variable.");
  expect(() => readConfig({ PROT: "3000", HOSTNAME: "box" })).not.toThrow();
  // Compose passes on its own variables.
  expect(() => readConfig({ STAMMTISCH_IMAGE: "stammtisch:1.0.0", HOST_PORT: "80", SITE: "a.example" })).not.toThrow();
});

test("PUSH_ALLOW_PRIVATE is accepted only with NODE_ENV=test", () => {
  expect(readConfig({ PUSH_ALLOW_PRIVATE: "1", NODE_ENV: "test" }).pushAllowPrivate).toBe(true);
  expect(errorOf({ PUSH_ALLOW_PRIVATE: "1", NODE_ENV: "production" }).variable).toBe("PUSH_ALLOW_PRIVATE");
});

test("an http APP_URL with a LAN name is accepted with ALLOW_INSECURE_HTTP=1", () => {
  expect(readConfig({ APP_URL: "http://pi.fritz.box:3000", ALLOW_INSECURE_HTTP: "1" }).appUrl.hostname).toBe(
    "pi.fritz.box",
  );
});

describe("_FILE variables", () => {
  test("every variable can be read from a file named by its _FILE variable", () => {
    for (const name of Object.keys(maskConfig(readConfig({}))))
      expect(errorOf({ [`${name}_FILE`]: join(folder, "none") }).variable).toBe(`${name}_FILE`);
  });

  test("one line break at the end of the file named by a _FILE variable is ignored", () => {
    expect(readConfig({ GROUP_NAME_FILE: file("name", "Skatrunde\n") }).groupName).toBe("Skatrunde");
    expect(errorOf({ GROUP_NAME_FILE: file("lines", "Skat\n\n") }).variable).toBe("GROUP_NAME");
  });

  test("refuses a variable that is set both directly and by its _FILE variable", () => {
    const error = errorOf({ DATABASE_URL: "postgres://u:hunter2@db/app", DATABASE_URL_FILE: file("url", "x") });
    expect(error.message).toBe("DATABASE_URL and DATABASE_URL_FILE are both set; only one may be.");
  });

  test.for([
    ["missing", () => join(folder, "none")],
    ["a folder", () => folder],
    ["empty", () => file("empty", "")],
    ["binary", () => file("binary", Buffer.from([0x80, 0xff, 0x00, 0xc3]))],
  ] as const)("refuses a _FILE variable whose file is %s", ([, path]) => {
    expect(errorOf({ SMTP_URL_FILE: path() }).variable).toBe("SMTP_URL_FILE");
  });
});

test("the configuration with masked secrets lists every variable and contains no secret", () => {
  const shown = maskConfig(
    readConfig({
      DATABASE_URL: "postgres://user:hunter2@db:5432/app?password=hunter2",
      SMTP_URL: "smtps://user:hunter2@mail.example.org",
      REALTIME_URL: "pusher://key:hunter2@host.example/1",
      OIDC_CLIENT_SECRET: "hunter2",
      APP_KEY: "hunter2-".repeat(4),
      REALTIME_SECRET: "hunter2-".repeat(4),
      METRICS_TOKEN: "hunter2-".repeat(4),
    }),
  );
  expect(JSON.stringify(shown)).not.toContain("hunter2");
  expect(shown["DATABASE_URL"]).toBe("postgres://***@db:5432/app");
  const tried = new Set([...Object.keys(refused), ...Object.keys(accepted)]);
  expect(Object.keys(shown).toSorted(), "each has values in `refused` or `accepted`").toEqual([...tried].toSorted());
});

test("the server uses every variable of the configuration schema", () => {
  const files = globSync("**/*.ts", { cwd: import.meta.dirname, exclude: ["**/*.test.ts"] });
  const program = files.map((name) => readFileSync(join(import.meta.dirname, name), "utf8")).join("\n");
  const variables = Object.keys(configSchema.shape) as Variable[];
  const unread = variables.filter((name) => !new RegExp(`\\b${keyOf(name)}\\b|\\.${name}\\b`).test(program));
  expect(unread, "remove them from server/config-schema.ts").toEqual([]);
});

test("docs/operating.md lists every environment variable as the configuration schema describes it", () => {
  const rows = describeVariables().map(
    ({ name, defaultText, meaning }) => `| \`${name}\` | ${defaultText} | ${meaning} |`,
  );
  const docs = readFileSync(join(import.meta.dirname, "../docs/operating.md"), "utf8").split("\n");
  const start = docs.indexOf("| variable | default | meaning |") + 2;
  expect(docs.slice(start, docs.indexOf("", start)).join("\n"), "copy the expected rows").toBe(rows.join("\n"));
});

test.for([
  ["PORT", "99999"],
  ["DATABASE_URL", "mysql://root:hunter2@db/app"],
  ["STAMMTISCH_PROT", "hunter2"],
  ["STAMMTISCH_ENV_FILE", "/nowhere/at/all"],
] as const)("the executable refuses an invalid %s with exit code 78 and one line of output", ([name, value]) => {
  const env = { ...process.env, DATA_DIR: folder, [name]: value };
  const executable = join(import.meta.dirname, "../bin/stammtisch");
  const { status, stdout, stderr } = spawnSync(process.execPath, [executable, "serve"], { env, encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 78, stdout: "" });
  expect(stderr).toMatch(new RegExp(`^${name} [^\\n]+\\n$`));
  expect(stderr).not.toContain("hunter2");
});

function errorOf(env: Record<string, string>): ConfigError {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(env)} was accepted`);
}

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("OpenID", () => {
  const given = { OIDC_ISSUER: "https://id.example/realms/home", OIDC_CLIENT_ID: "stammtisch" };

  test("the configuration accepts OpenID accounts for groups, and http to a local provider or with ALLOW_INSECURE_HTTP", () => {
    const config = readConfig({ ...given, OIDC_ACCOUNTS: "automatic", OIDC_GROUPS: "a, b" });
    expect(config).toMatchObject({ oidcIssuer: given.OIDC_ISSUER, oidcGroups: ["a", "b"], passwordLogin: true });
    expect(() => readConfig({ ...given, OIDC_ISSUER: "http://localhost:8080" })).not.toThrow();
    expect(() => readConfig({ ...given, OIDC_ISSUER: "http://id.lan", ALLOW_INSECURE_HTTP: "1" })).not.toThrow();
  });

  test.for([
    ["OIDC_ISSUER", { OIDC_ISSUER: "http://id.lan" }],
    ["OIDC_CLIENT_ID", { OIDC_CLIENT_ID: "" }],
    ["OIDC_GROUPS", { OIDC_ACCOUNTS: "automatic" }],
  ] as const)(
    "refuses an OpenID configuration with plain http on a LAN, no client id, or automatic accounts without groups (%s)",
    ([name, env]) => {
      expect(errorOf({ ...given, ...env }).variable).toBe(name);
    },
  );
});
